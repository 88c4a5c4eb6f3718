package dev.errand.cli.command;

/** The command line is invalid; the message says what to write. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
