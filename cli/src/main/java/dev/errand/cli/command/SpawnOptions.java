package dev.errand.cli.command;

import dev.errand.cli.terminal.Terminal;
import dev.errand.cli.terminal.WindowSize;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options of {@code run} and {@code spawn}: the request for a new task. */
final class SpawnOptions {
  static final String STDIN = "--stdin";
  static final String COMMAND_HELP =
      "the program and its arguments, unchanged; everything after -- or after the program"
          + " belongs to it";

  private static final String NAME = "--name";
  private static final String TITLE = "--title";
  private static final String CWD = "--cwd";
  private static final String ENV = "--env";
  private static final String TIMEOUT = "--timeout";
  private static final String IDLE_TIMEOUT = "--idle-timeout";
  private static final String SESSION = "--session";
  private static final String ON_RESTART = "--on-restart";
  private static final String ON_OUTPUT_LIMIT = "--on-output-limit";
  private static final String MAX_OUTPUT = "--max-output";
  private static final String WHY = "--why";
  private static final String LINE = "--command";
  private static final String SECRET = "--secret";
  private static final String SECRET_FILE = "--secret-file";
  private static final String MEMORY = "--memory";
  private static final String PROCESSES = "--processes";
  private static final String CPU_TIME = "--cpu-time";
  private static final String OPEN_FILES = "--open-files";
  private static final String FILE_SIZE = "--file-size";
  private static final String TERMINAL = "--terminal";
  private static final String ROWS = "--rows";
  private static final String COLS = "--cols";

  private SpawnOptions() {}

  static void addTo(CommandSpec spec) {
    spec.parser().stopAtPositional(true);
    spec.addPositional(Specs.rest(0, false, "PROGRAM [ARGS...]", COMMAND_HELP));
    spec.addOption(
        Specs.text("LINE", "run this line with the shell instead of a program", "-c", LINE));
    spec.addOption(Specs.text("LABEL", "a short name to find the task by", "-n", NAME));
    spec.addOption(Specs.text("TEXT", "a title for people", TITLE));
    spec.addOption(Specs.text("DIR", "working folder (default: the current one)", CWD));
    spec.addOption(
        Specs.texts(
            "NAME[=VALUE]",
            "a variable for the task (may be repeated); without a value yours is passed on",
            "-e",
            ENV));
    spec.addOption(Specs.duration("end the task after this time", TIMEOUT));
    spec.addOption(
        Specs.duration("end the task when it has written nothing for this time", IDLE_TIMEOUT));
    spec.addOption(Specs.text("ID", "the session that the task belongs to", SESSION));
    spec.addOption(
        Specs.oneOf(
            words("lost", "requeue"),
            "after a crash of the machine or the host: fail as lost, or run again (default: lost)",
            ON_RESTART));
    spec.addOption(
        Specs.oneOf(
            words("truncate", "kill"),
            "at the output limit: drop the middle of the output, or end the task (default: truncate)",
            ON_OUTPUT_LIMIT));
    spec.addOption(Specs.size("output kept per stream", MAX_OUTPUT));
    spec.addOption(
        Specs.texts(
            "NAME[=VALUE]",
            "as --env, but the value is not recorded and is removed from the output; without a"
                + " value yours is passed on, which keeps it out of the list of processes too",
            SECRET));
    spec.addOption(
        Specs.texts("NAME=FILE", "the same with the content of a file as the value", SECRET_FILE));
    spec.addOption(Specs.size("memory of the task", MEMORY));
    spec.addOption(Specs.count("N", "processes and threads at the same time", PROCESSES));
    spec.addOption(Specs.duration("processor time", CPU_TIME));
    spec.addOption(Specs.count("N", "open files of each process", OPEN_FILES));
    spec.addOption(Specs.size("size of a file that it writes", FILE_SIZE));
    spec.addOption(Specs.text("TEXT", "the justification; a policy rule may require it", WHY));
    spec.addOption(
        Specs.flag("give it a terminal, with the size of yours if there is one", "-t", TERMINAL));
    spec.addOption(Specs.count("N", "rows of that terminal (default: yours, or 24)", ROWS));
    spec.addOption(Specs.count("N", "columns of that terminal (default: yours, or 80)", COLS));
    PlanOptions.addTo(spec);
  }

  static boolean wantsTerminal(ParseResult parsed) {
    return Specs.has(parsed, TERMINAL);
  }

  private static TerminalSize size(ParseResult parsed, Terminal terminal) {
    var rows = parsed.matchedOptionValue(ROWS, 0);
    var cols = parsed.matchedOptionValue(COLS, 0);
    var own =
        rows > 0 && cols > 0
            ? TerminalSize.DEFAULT
            : WindowSize.of(terminal).orElse(TerminalSize.DEFAULT);
    try {
      return new TerminalSize(rows > 0 ? rows : own.rows(), cols > 0 ? cols : own.cols());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static Set<String> words(String... words) {
    return new LinkedHashSet<>(List.of(words));
  }

  /** The requested task; the command decides whether it has a standard input. */
  static NewTask task(ParseResult parsed, Context context, boolean stdin) {
    var environment = context.environment();
    var task = work(parsed).cwd(cwd(parsed));
    if (wantsTerminal(parsed)) {
      task.pty(size(parsed, context.console().terminal()));
    } else if (parsed.hasMatchedOption(ROWS) || parsed.hasMatchedOption(COLS)) {
      throw new UsageException("--rows and --cols need a terminal; add -t");
    }
    env(parsed, environment).forEach(task::env);
    secrets(parsed, environment).forEach(task::secret);
    if (stdin && !wantsTerminal(parsed)) {
      task.withStdin();
    }
    given(parsed, NAME, task::label);
    given(parsed, TITLE, task::title);
    given(parsed, ON_RESTART, task::onRestart);
    given(parsed, ON_OUTPUT_LIMIT, task::onOutputLimit);
    given(parsed, MAX_OUTPUT, task::outputBytesMax);
    given(parsed, TIMEOUT, task::timeout);
    given(parsed, IDLE_TIMEOUT, task::idleTimeout);
    limits(parsed, task);
    given(parsed, WHY, task::justification);
    PlanOptions.apply(parsed, task);
    var session = environment.get("ERRAND_SESSION_ID");
    if (session != null) {
      task.session(session);
    }
    given(parsed, SESSION, task::session);
    return task;
  }

  private static void limits(ParseResult parsed, NewTask task) {
    given(parsed, MEMORY, task::memoryMax);
    given(parsed, PROCESSES, (Integer count) -> task.processesMax(count));
    given(parsed, CPU_TIME, task::cpuTimeMax);
    given(parsed, OPEN_FILES, (Integer count) -> task.openFilesMax(count));
    given(parsed, FILE_SIZE, task::fileSizeMax);
  }

  private static NewTask work(ParseResult parsed) {
    var argv = Specs.positionals(parsed);
    var line = parsed.matchedOptionValue(LINE, "");
    if (parsed.hasMatchedOption(LINE) == !argv.isEmpty()) {
      throw new UsageException(
          "nothing to run, or too much; use either -- PROGRAM ARGS... or -c 'LINE' for the shell");
    }
    return argv.isEmpty() ? NewTask.shell(line) : NewTask.program(argv);
  }

  private static <T> void given(ParseResult parsed, String option, Consumer<T> wish) {
    if (parsed.hasMatchedOption(option)) {
      wish.accept(parsed.matchedOption(option).getValue());
    }
  }

  private static String cwd(ParseResult parsed) {
    return Path.of(parsed.matchedOptionValue(CWD, "")).toAbsolutePath().normalize().toString();
  }

  /** PATH and locale of the caller, and the named variables. */
  private static Map<String, String> env(ParseResult parsed, Map<String, String> environment) {
    var env = new TreeMap<String, String>();
    environment.forEach((name, value) -> {
      if (name.equals("PATH") || name.equals("LANG") || name.startsWith("LC_")) {
        env.put(name, value);
      }
    });
    env.putAll(variables(parsed, ENV, environment));
    return env;
  }

  private static Map<String, String> variables(
      ParseResult parsed, String option, Map<String, String> environment) {
    var variables = new TreeMap<String, String>();
    for (String given : parsed.matchedOptionValue(option, List.<String>of())) {
      var split = given.indexOf('=');
      var name = split < 0 ? given : given.substring(0, split);
      var value = split < 0 ? environment.get(name) : given.substring(split + 1);
      if (value == null) {
        throw new UsageException(option + " " + name + " is not set; give a value with NAME=VALUE");
      }
      variables.put(name, value);
    }
    return variables;
  }

  private static Map<String, String> secrets(ParseResult parsed, Map<String, String> environment) {
    var secrets = variables(parsed, SECRET, environment);
    for (String given : parsed.matchedOptionValue(SECRET_FILE, List.<String>of())) {
      var split = given.indexOf('=');
      if (split <= 0) {
        throw new UsageException(
            "invalid --secret-file; use NAME=FILE, with the name of a variable");
      }
      secrets.put(given.substring(0, split), content(given.substring(split + 1)));
    }
    return secrets;
  }

  /** Without the line feed at the end, which editors add. */
  private static String content(String file) {
    try {
      var text = Files.readString(Path.of(file));
      return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    } catch (IOException e) {
      throw new UsageException("--secret-file " + file + " cannot be read: " + e);
    }
  }
}
