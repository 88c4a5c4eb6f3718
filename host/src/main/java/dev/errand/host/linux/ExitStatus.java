package dev.errand.host.linux;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended and what it had used, its own waited-for children included.
 *
 * @param code the exit code, or 128 plus the signal's number
 * @param signal the name of the signal that ended it
 */
public record ExitStatus(int code, @Nullable String signal, Used used) {

  /**
   * What the kernel counted.
   *
   * @param maxRssBytes the largest resident set, that of its parent before the exec included
   * @param readBytes fetched from storage
   * @param writtenBytes sent to storage, at once or later
   */
  public record Used(
      long userMs, long systemMs, long maxRssBytes, long readBytes, long writtenBytes) {}
}
