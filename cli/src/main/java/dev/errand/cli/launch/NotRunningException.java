package dev.errand.cli.launch;

/** No daemon runs in this home, and the command does not start one. */
public final class NotRunningException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotRunningException(Throwable cause) {
    super("no daemon runs; start one with: errand up", cause);
  }
}
