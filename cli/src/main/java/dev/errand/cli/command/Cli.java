package dev.errand.cli.command;

import java.util.List;
import picocli.CommandLine.ParameterException;

/** From the words on the command line to an exit code. */
public final class Cli {
  private final Context context;

  public Cli(Context context) {
    this.context = context;
  }

  public int run(List<String> words) {
    var failures = new FailureReport(context.console(), wantsJson(words), context.debug());
    try {
      return dispatch(words);
    } catch (ParameterException e) {
      return failures.tell(new UsageException(complaint(e, words)));
    } catch (RuntimeException e) {
      return failures.tell(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.DETACHED.number();
    }
  }

  private int dispatch(List<String> words) throws InterruptedException {
    if (words.isEmpty()) {
      context.console().write(HelpCommand.overview());
      return ExitCode.OK.number();
    }
    var verb = CliCommands.get(verbName(words.getFirst()));
    var parsed = Specs.parse(verb.spec(), words.subList(1, words.size()));
    if (parsed.isUsageHelpRequested()) {
      context.console().write(HelpCommand.usage(verb));
      return ExitCode.OK.number();
    }
    return verb.run(parsed, context);
  }

  private static String verbName(String word) {
    return switch (word) {
      case "-h", "--help" -> "help";
      case "-V", "--version" -> "version";
      default -> word;
    };
  }

  /** Detected before parsing, because a parse error must be JSON too. */
  private static boolean wantsJson(List<String> words) {
    return words.stream().takeWhile(it -> !it.equals("--")).anyMatch(Specs.JSON::equals);
  }

  private static String complaint(ParameterException e, List<String> words) {
    return e.getMessage() + "; see: errand " + verbName(words.getFirst()) + " --help";
  }
}
