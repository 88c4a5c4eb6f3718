package dev.errand.host.protocol;

/** What the host says to a request: done, or refused with a reason. */
public sealed interface Answer<T> {

  record Done<T>(T value) implements Answer<T> {}

  /**
   * It was not done.
   *
   * @param code one of {@link RefusalCode}
   * @param bytesWritten what stdin took before the refusal; 0 elsewhere
   */
  record Refused<T>(String code, String message, long bytesWritten) implements Answer<T> {}
}
