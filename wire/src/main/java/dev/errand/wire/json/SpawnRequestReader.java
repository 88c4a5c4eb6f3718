package dev.errand.wire.json;

import static java.util.Map.entry;

import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TerminalSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks the body of a spawn, field by field; at each limit the request is refused. */
final class SpawnRequestReader {
  private static final int TITLE_CHARS_MAX = 200;
  private static final int ORIGIN_CHARS_MAX = 200;
  private static final int JUSTIFICATION_CHARS_MAX = 1_000;
  private static final int PATH_BYTES_MAX = 4095;
  private static final int ENV_COUNT_MAX = 256;

  /** The kernel takes no longer string as an argument; its NUL counts. */
  private static final int ARGS_BYTES_MAX = 128 * 1024;

  private static final long CAP_BYTES_MIN = 4 * 1024;
  private static final long CAP_BYTES_MAX = 1L << 40;

  /** What is shown item by item is answered in pages, so more than this is read otherwise. */
  private static final long SHOWN_BYTES_MAX = 64 << 20;

  private static final Duration TIMEOUT_MIN = Duration.ofSeconds(1);
  private static final Duration TIMEOUT_MAX = RequestFields.TIMEOUT_MAX;

  private static final Duration WINDOW_MAX = Duration.ofHours(1);

  /** Below this no program can be loaded. */
  private static final long MEMORY_BYTES_MIN = 1 << 20;

  private static final long BYTES_MAX = 1L << 50;
  private static final long PROCESSES_MAX = 1 << 22;

  /** Its three streams, and the files from which it is loaded. */
  private static final long OPEN_FILES_MIN = 8;

  private static final long OPEN_FILES_MAX = 1 << 20;
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** A shell loses or obeys other names: bash takes BASH_FUNC_ls%% for a command of its own. */
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,254}");

  private static final List<String> SHELLS = List.of("bash", "shell");
  private static final String EXEC = "exec";
  private static final List<String> TOOLS = List.of("bash", "shell", EXEC);

  private static final List<String> OWN_FIELDS =
      List.of(
          "tool",
          "args",
          "title",
          "execution_mode",
          "origin_session_id",
          "session_id",
          "label",
          "timeout_secs",
          "idle_timeout_secs",
          "grace_secs",
          "drain_secs",
          "leftover",
          "on_restart",
          "on_output_limit",
          "artifact_max_bytes",
          "stdin",
          "limits",
          "justification",
          "rows",
          "cols",
          "max_output_bytes");

  static final List<String> FIELDS =
      Stream.of(OWN_FIELDS, PlanFields.NAMES, AttentionFields.NAMES).flatMap(List::stream).toList();

  /** Names that others use for these, or that stand one level too high. */
  private static final Map<String, String> MEANT =
      Map.ofEntries(
          entry("tool_name", "tool"),
          entry("arguments", "args"),
          entry("input", "args"),
          entry("command", "args.command"),
          entry("cmd", "args.command"),
          entry("argv", "args.argv"),
          entry("cwd", "args.cwd"),
          entry("env", "args.env"),
          entry("secret_env", "args.secret_env"),
          entry("timeout", "timeout_secs"),
          entry("pty", "execution_mode: \"pty\""),
          entry("name", "label"));

  /** Names that others use for these, or that stand one level too low. */
  private static final Map<String, String> MEANT_IN_ARGS =
      Map.of(
          "cmd", "args.command",
          "timeout", "timeout_secs",
          "timeout_secs", "timeout_secs",
          "pty", "execution_mode: \"pty\"",
          "title", "title",
          "label", "label",
          "session_id", "session_id");

  private static final List<String> LIMITS =
      List.of("memory_bytes", "processes", "cpu_secs", "open_files", "file_size_bytes");

  /** {@code max_bytes} is S0's; a read says for itself how much it wants, so it has no effect. */
  private static final List<String> ARGS =
      List.of(
          "command",
          "argv",
          "cwd",
          "env",
          "stdin",
          "artifact_max_bytes",
          "max_bytes",
          "secret_env");

  private final RequestFields body;
  private final RequestFields args;

  private SpawnRequestReader(RequestFields body) {
    this.body = body;
    this.args = body.object("args", ARGS, MEANT_IN_ARGS);
  }

  static SpawnRequest read(JsonNode body) {
    SecretFields.refuseElsewhere(body);
    return new SpawnRequestReader(RequestFields.of(body, FIELDS, MEANT)).read();
  }

  private SpawnRequest read() {
    args.integer("max_bytes", 1, Long.MAX_VALUE);
    return new SpawnRequest(
        names(),
        work(),
        io(),
        limits(),
        onRestart(),
        justification(),
        new PlanFields(body).read(),
        new AttentionFields(body).read());
  }

  private SpawnRequest.Names names() {
    var label = body.text("label", Integer.MAX_VALUE);
    if (label != null && !LABEL.matcher(label).matches()) {
      throw body.refuse("label", "1 to 64 letters, digits, '.', '_' or '-'");
    }
    return new SpawnRequest.Names(
        sessionId(),
        label,
        body.text("title", TITLE_CHARS_MAX),
        body.text("origin_session_id", ORIGIN_CHARS_MAX));
  }

  private @Nullable SessionId sessionId() {
    var text = body.text("session_id", Integer.MAX_VALUE);
    if (text == null) {
      return null;
    }
    try {
      return new SessionId(text);
    } catch (IllegalArgumentException e) {
      throw body.refuse(
          "session_id",
          "1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit");
    }
  }

  private SpawnRequest.Work work() {
    var tool = body.requiredText("tool", Integer.MAX_VALUE);
    if (!TOOLS.contains(tool)) {
      throw body.refuse("tool", "one of " + String.join(", ", TOOLS));
    }
    var variables = environment();
    var secrets = new SecretFields(args).read(variables);
    return new SpawnRequest.Work(
        tool, invocation(tool), cwd(), secrets.without(variables), secrets.values());
  }

  private Invocation invocation(String tool) {
    var hasCommand = args.has("command");
    var hasArgv = args.has("argv");
    if (hasCommand && !SHELLS.contains(tool)) {
      throw RequestFields.invalid(
          "the tool " + tool + " takes args.argv; for args.command use the tool bash");
    }
    if (hasCommand == hasArgv) {
      var either = SHELLS.contains(tool) ? "args.command or args.argv" : "args.argv";
      throw RequestFields.invalid(
          hasArgv
              ? "args.command and args.argv are both given; one of them says what to run"
              : "nothing says what to run: " + either + " is missing");
    }
    return hasCommand ? shell() : program();
  }

  private Invocation shell() {
    var commandLine = args.requiredText("command", Integer.MAX_VALUE);
    if (commandLine.isBlank()) {
      throw args.refuse("command", "a command line that is not empty");
    }
    bounded("args.command", bytes(commandLine));
    return new Invocation.Shell(commandLine);
  }

  private Invocation program() {
    var argv = args.texts("argv");
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw RequestFields.invalid(
          "args.argv names no program; it must be a program, then its arguments");
    }
    bounded("args.argv", argv.stream().mapToLong(SpawnRequestReader::bytes).sum());
    return new Invocation.Program(argv);
  }

  private @Nullable String cwd() {
    var cwd = args.text("cwd", PATH_BYTES_MAX);
    if (cwd != null && (cwd.isEmpty() || bytes(cwd) > PATH_BYTES_MAX)) {
      throw args.refuse("cwd", "a path of 1 to " + PATH_BYTES_MAX + " bytes");
    }
    return cwd;
  }

  private Environment environment() {
    var values = args.textMap("env");
    if (values.size() > ENV_COUNT_MAX) {
      throw RequestFields.invalid(
          "args.env has "
              + values.size()
              + " variables; at most "
              + ENV_COUNT_MAX
              + " are allowed");
    }
    var total = 0L;
    for (var variable : values.entrySet()) {
      var name = variable.getKey();
      if (!VARIABLE.matcher(name).matches()) {
        throw RequestFields.invalid(
            "args.env has a variable named \""
                + name
                + "\"; a name is not empty, has no '=', and is 1 to 255 letters, digits, '_', '.' or"
                + " '-', beginning with a letter or '_'");
      }
      total += bytes(name) + bytes(variable.getValue());
    }
    bounded("args.env", total);
    return new Environment(values);
  }

  private static void bounded(String path, long bytes) {
    if (bytes > ARGS_BYTES_MAX) {
      throw RequestFields.invalid(
          path
              + " takes "
              + bytes
              + " bytes; at most "
              + ARGS_BYTES_MAX
              + " are allowed, so put the rest into a file or standard input");
    }
  }

  /** As the kernel counts: with the NUL behind it. */
  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length + 1L;
  }

  private SpawnRequest.Io io() {
    var stdin = same("stdin", body.boolOrNull("stdin"), args.boolOrNull("stdin"));
    var terminal = terminal(stdin);
    var cap =
        same(
            "artifact_max_bytes",
            body.integer("artifact_max_bytes", CAP_BYTES_MIN, CAP_BYTES_MAX),
            args.integer("artifact_max_bytes", CAP_BYTES_MIN, CAP_BYTES_MAX));
    var atCap = body.word("on_output_limit", List.of("truncate", "kill"));
    return new SpawnRequest.Io(
        stdin != null && stdin,
        cap,
        atCap == null ? null : Words.of(Command.OnOutputLimit.class, atCap),
        terminal,
        body.integer("max_output_bytes", 1, SHOWN_BYTES_MAX));
  }

  private @Nullable TerminalSize terminal(@Nullable Boolean stdin) {
    var rows = body.integer("rows", TerminalSize.MIN, TerminalSize.MAX);
    var cols = body.integer("cols", TerminalSize.MIN, TerminalSize.MAX);
    var mode = body.word("execution_mode", List.of("pipes", "pty"));
    if (!"pty".equals(mode)) {
      if (rows != null || cols != null) {
        throw RequestFields.invalid(
            "rows and cols are for a terminal; say \"execution_mode\": \"pty\" or leave them out");
      }
      return null;
    }
    if (stdin != null && !stdin) {
      throw RequestFields.invalid("stdin is false, but a terminal always has input; leave it out");
    }
    return new TerminalSize(
        rows == null ? TerminalSize.DEFAULT.rows() : rows.intValue(),
        cols == null ? TerminalSize.DEFAULT.cols() : cols.intValue());
  }

  /** Some fields may stand in the body or in its args, but must not say two things. */
  private static <T> @Nullable T same(String name, @Nullable T outer, @Nullable T inner) {
    if (outer != null && inner != null && !Objects.equals(outer, inner)) {
      throw RequestFields.invalid(
          name + " is " + outer + " and args." + name + " is " + inner + "; say it once");
    }
    return outer == null ? inner : outer;
  }

  private SpawnRequest.Limits limits() {
    var leftover = body.word("leftover", List.of("kill", "keep"));
    return new SpawnRequest.Limits(
        body.timeout("timeout_secs", TIMEOUT_MIN),
        body.seconds("idle_timeout_secs", TIMEOUT_MIN, TIMEOUT_MAX),
        body.seconds("grace_secs", Duration.ZERO, WINDOW_MAX),
        body.seconds("drain_secs", Duration.ZERO, WINDOW_MAX),
        leftover == null ? null : Words.of(Command.Leftover.class, leftover),
        resources());
  }

  private ResourceLimits resources() {
    var limits = body.object("limits", LIMITS);
    return new ResourceLimits(
        limits.integer("memory_bytes", MEMORY_BYTES_MIN, BYTES_MAX),
        limits.integer("processes", 1, PROCESSES_MAX),
        limits.integer("cpu_secs", 1, TIMEOUT_MAX.toSeconds()),
        limits.integer("open_files", OPEN_FILES_MIN, OPEN_FILES_MAX),
        limits.integer("file_size_bytes", 1, BYTES_MAX));
  }

  private @Nullable String justification() {
    var text = body.text("justification", JUSTIFICATION_CHARS_MAX);
    if (text != null && text.isBlank()) {
      throw body.refuse("justification", "a sentence that says why, or left out");
    }
    return text;
  }

  /** A process that is still there is always adopted; the word matters only when it is gone. */
  private Command.@Nullable OnRestart onRestart() {
    var word = body.word("on_restart", List.of("adopt", "lost", "requeue"));
    if (word == null) {
      return null;
    }
    return word.equals("requeue") ? Command.OnRestart.REQUEUE : Command.OnRestart.LOST;
  }
}
