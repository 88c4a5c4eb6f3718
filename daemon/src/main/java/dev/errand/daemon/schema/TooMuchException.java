package dev.errand.daemon.schema;

/** A check takes more steps, or leads deeper, than any sensible one does. */
final class TooMuchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TooMuchException(String message) {
    super(message);
  }
}
