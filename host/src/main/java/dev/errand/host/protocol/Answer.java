package dev.errand.host.protocol;

/** What the host says to a request: done, or refused with a reason. */
public sealed interface Answer<T> {

  record Done<T>(T value) implements Answer<T> {}

  /**
   * It was not done.
   *
   * @param code one of {@link RefusalCode}
   * @param bytesWritten what stdin took before the refusal; 0 elsewhere
   * @param n the record of what it took; 0 where there is none, and from an older host
   */
  record Refused<T>(String code, String message, long bytesWritten, long n) implements Answer<T> {
    public Refused(String code, String message, long bytesWritten) {
      this(code, message, bytesWritten, 0);
    }
  }
}
