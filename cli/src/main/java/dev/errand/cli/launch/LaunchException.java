package dev.errand.cli.launch;

/** The daemon could not be started or stopped; the message says why and what to do. */
public final class LaunchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LaunchException(String message) {
    super(message);
  }

  LaunchException(String message, Throwable cause) {
    super(message, cause);
  }
}
