package dev.errand.wire.json;

import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is run, and where.
 *
 * @param environment the variables that may be recorded, and the names of the others
 * @param secrets the values of the others
 */
public record SpawnWork(
    String tool,
    Invocation invocation,
    @Nullable String cwd,
    Environment environment,
    Environment secrets) {

  /** The kernel takes no longer string as an argument; its NUL counts. */
  private static final int BYTES_MAX = 128 * 1024;

  /** A shell loses or obeys other names: bash takes BASH_FUNC_ls%% for a command of its own. */
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,254}");

  private static final List<String> SHELLS = List.of("bash", "shell");
  private static final List<String> TOOLS = List.of("bash", "shell", "exec");

  private static final RequestField<FieldType.LongText> COMMAND =
      RequestField.of(
          "command",
          new FieldType.LongText(BYTES_MAX),
          "the command line, for bash and shell; sh runs it where there is no bash");
  private static final RequestField<FieldType.Arguments> ARGV =
      RequestField.of(
          "argv",
          new FieldType.Arguments(BYTES_MAX),
          "instead of command: the program and its arguments");
  private static final RequestField<FieldType.LongText> CWD =
      RequestField.of(
          "cwd",
          new FieldType.LongText(4_095),
          "the folder to run in, relative to your home; default: that of the session, else your home");
  private static final RequestField<FieldType.Variables> ENV =
      RequestField.of(
          "env",
          new FieldType.Variables(256, BYTES_MAX),
          "variables beside PATH, HOME, TERM, LANG, LC_*, USER, SHELL and TMPDIR, as strings");

  /** S0 has it; a read says for itself how much it wants. */
  private static final RequestField<FieldType.Whole> READ_BYTES =
      RequestField.of(
          "max_bytes", new FieldType.Whole(1, Long.MAX_VALUE), "taken and without effect");

  static final FieldType.Form ARGS =
      new FieldType.Form(
          "Args",
          List.of(
              COMMAND,
              ARGV,
              CWD,
              ENV,
              SpawnIo.STDIN,
              SpawnIo.CAP,
              READ_BYTES,
              SecretFields.SECRET_ENV));

  private static final RequestField<FieldType.Text> TOOL =
      RequestField.of(
              "tool",
              new FieldType.Text(Integer.MAX_VALUE),
              "bash or shell for a command line, exec for a program, or a declared tool")
          .needed();
  private static final RequestField<FieldType.OpenForm> WHAT =
      RequestField.of(
          "args",
          new FieldType.OpenForm(ARGS),
          "what to run: command (a line) or argv (a list), and cwd, env, secret_env; for a declared"
              + " tool its own arguments");

  static final List<RequestField<?>> FIELDS = List.of(TOOL, WHAT);

  /** Names that others use for these, or that stand one level too low. */
  private static final Map<String, String> MEANT =
      Map.of(
          "cmd", "args.command",
          "timeout", "timeout_secs",
          "timeout_secs", "timeout_secs",
          "pty", "execution_mode: \"pty\"",
          "title", "title",
          "label", "label",
          "session_id", "session_id");

  /** The arguments in a body, of which the fields of other parts are read elsewhere. */
  static RequestFields args(RequestFields body) {
    return body.object(WHAT.name(), ARGS.names(), MEANT);
  }

  static SpawnWork read(RequestFields body, RequestFields args) {
    args.integer(READ_BYTES);
    var tool = body.requiredText(TOOL.name(), Integer.MAX_VALUE);
    if (!TOOLS.contains(tool)) {
      throw body.refuse(TOOL.name(), "one of " + String.join(", ", TOOLS));
    }
    var variables = environment(args);
    var secrets = new SecretFields(args).read(variables);
    return new SpawnWork(
        tool, invocation(tool, args), cwd(args), secrets.without(variables), secrets.values());
  }

  private static Invocation invocation(String tool, RequestFields args) {
    var hasCommand = args.has(COMMAND.name());
    var hasArgv = args.has(ARGV.name());
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
    return hasCommand ? shell(args) : program(args);
  }

  private static Invocation shell(RequestFields args) {
    var commandLine = args.requiredText(COMMAND.name(), Integer.MAX_VALUE);
    if (commandLine.isBlank()) {
      throw args.refuse(COMMAND.name(), "a command line that is not empty");
    }
    bounded("args.command", bytes(commandLine));
    return new Invocation.Shell(commandLine);
  }

  private static Invocation program(RequestFields args) {
    var argv = args.texts(ARGV.name());
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw RequestFields.invalid(
          "args.argv names no program; it must be a program, then its arguments");
    }
    bounded("args.argv", argv.stream().mapToLong(SpawnWork::bytes).sum());
    return new Invocation.Program(argv);
  }

  private static @Nullable String cwd(RequestFields args) {
    var max = CWD.type().bytesMax();
    var cwd = args.text(CWD.name(), max);
    if (cwd != null && (cwd.isEmpty() || bytes(cwd) > max)) {
      throw args.refuse(CWD.name(), "a path of 1 to " + max + " bytes");
    }
    return cwd;
  }

  private static Environment environment(RequestFields args) {
    var values = args.textMap(ENV.name());
    var max = ENV.type().countMax();
    if (values.size() > max) {
      throw RequestFields.invalid(
          "args.env has " + values.size() + " variables; at most " + max + " are allowed");
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
    if (bytes > BYTES_MAX) {
      throw RequestFields.invalid(
          path
              + " takes "
              + bytes
              + " bytes; at most "
              + BYTES_MAX
              + " are allowed, so put the rest into a file or standard input");
    }
  }

  /** As the kernel counts: with the NUL behind it. */
  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length + 1L;
  }

  /** The same run by a tool of that name. */
  SpawnWork running(String other, Invocation instead) {
    return new SpawnWork(other, instead, cwd, environment, secrets);
  }

  /** Where it runs, if a relative folder is meant from this one. */
  String folder(String base) {
    return cwd == null ? base : Path.of(base).resolve(cwd).normalize().toString();
  }
}
