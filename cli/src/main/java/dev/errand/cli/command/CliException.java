package dev.errand.cli.command;

/** A failure found by this program, with its exit code. */
final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  CliException(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  CliException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
