package dev.errand.cli.command;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand help}: lists the commands, or explains a command or the exit codes. */
final class HelpCommand implements CliCommand {
  private static final String EXIT_CODES = "exit-codes";
  private static final int NAME_COLUMNS = 12;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "help",
            new Specs.About(
                "Explain a command, or the exit codes",
                "[COMMAND|" + EXIT_CODES + "]",
                "Without an argument: all commands.",
                List.of("errand help run", "errand help " + EXIT_CODES)));
    spec.addPositional(Specs.optional(0, "COMMAND", "a command, or " + EXIT_CODES));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var names = Specs.positionals(parsed);
    var text = names.isEmpty() ? overview() : about(names.getFirst());
    context.console().write(text);
    return ExitCode.OK.number();
  }

  private static String about(String name) {
    return name.equals(EXIT_CODES) ? exitCodes() : usage(CliCommands.get(name));
  }

  static String usage(CliCommand verb) {
    return new CommandLine(verb.spec()).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  static String overview() {
    var text = new StringBuilder();
    text.append("errand runs commands in the background and records their output and result.\n\n");
    text.append("  errand run -- make check       run it, follow its output, get its exit code\n");
    text.append("  errand spawn -- npm run dev    start it and go on\n");
    text.append("  errand logs -f ID              follow it later, from anywhere\n");
    for (var group : CliCommands.GROUPS) {
      text.append('\n').append(group.title()).append('\n');
      for (var name : group.names()) {
        var summary = CliCommands.get(name).spec().usageMessage().header()[0];
        text.append("  ").append(padded(name)).append(summary).append('\n');
      }
    }
    text.append("\nerrand COMMAND --help explains a command; every command takes --json.\n");
    return text.toString();
  }

  static String exitCodes() {
    var text = new StringBuilder("Exit codes\n\n");
    text.append(
        "run and wait exit with the task's own code; one that died by signal n gives 128+n.");
    text.append("\nThe others mean:\n\n");
    for (var code : ExitCode.values()) {
      text.append("  ").append(padded(Integer.toString(code.number())));
      text.append(code.meaning()).append('\n');
    }
    return text.toString();
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(1, NAME_COLUMNS - name.length()));
  }
}
