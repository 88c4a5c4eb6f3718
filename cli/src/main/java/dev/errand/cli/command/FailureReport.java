package dev.errand.cli.command;

import dev.errand.cli.launch.LaunchException;
import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.OutputClosedException;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.json.JsonWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;

/** The one place where a failure becomes a line, or a JSON object, and an exit code. */
final class FailureReport {
  private final Console console;
  private final boolean json;
  private final boolean debug;

  FailureReport(Console console, boolean json, boolean debug) {
    this.console = console;
    this.json = json;
    this.debug = debug;
  }

  /** The report of a failure; the code is for programs. */
  private record Told(ExitCode exit, String code, String message, boolean retryable) {}

  int tell(RuntimeException failure) {
    if (failure instanceof OutputClosedException) {
      return ExitCode.OUTPUT_CLOSED.number();
    }
    var told = toldOf(failure);
    if (json) {
      console.say(new String(encode(told), StandardCharsets.UTF_8));
    } else {
      console.say("errand: " + SafeText.block(told.message()));
    }
    if (debug) {
      console.say(stackTrace(failure));
    }
    return told.exit().number();
  }

  private static Told toldOf(RuntimeException failure) {
    return switch (failure) {
      case UsageException it -> new Told(ExitCode.USAGE, "USAGE", text(it), false);
      case CliException it -> new Told(it.exitCode(), it.exitCode().name(), text(it), false);
      case NoDaemonException it -> new Told(ExitCode.NO_DAEMON, "NO_DAEMON", lostDaemon(it), true);
      case NotRunningException it -> new Told(ExitCode.NO_DAEMON, "NO_DAEMON", text(it), true);
      case LaunchException it -> new Told(ExitCode.NO_DAEMON, "NO_DAEMON", text(it), true);
      case CancellationException it ->
          new Told(ExitCode.DETACHED, ExitCode.DETACHED.name(), "interrupted: " + text(it), true);
      case ErrandException it ->
          new Told(exitOf(it.code()), it.code().name(), text(it), it.code().retryable());
      default -> new Told(ExitCode.REFUSED, ErrorCode.INTERNAL_ERROR.name(), bug(failure), false);
    };
  }

  static ExitCode exitOf(ErrorCode code) {
    var noTask = code == ErrorCode.TASK_NOT_FOUND || code == ErrorCode.TASK_REMOVED;
    return noTask ? ExitCode.NO_TASK : ExitCode.REFUSED;
  }

  private static String lostDaemon(NoDaemonException failure) {
    return text(failure) + "\nrunning tasks go on; start a daemon with: errand up";
  }

  private static String bug(RuntimeException failure) {
    return "internal error: "
        + failure
        + "\nset ERRAND_DEBUG=1 for a stack trace, and report it with the command you ran";
  }

  private static String text(RuntimeException failure) {
    var message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static byte[] encode(Told told) {
    return JsonWriter.object(out ->
        out.text("code", told.code())
            .text("message", told.message())
            .bool("retryable", told.retryable())
            .number("exit_code", told.exit().number()));
  }

  private static String stackTrace(RuntimeException failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
