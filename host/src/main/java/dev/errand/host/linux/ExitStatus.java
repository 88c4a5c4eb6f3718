package dev.errand.host.linux;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended and what it used, including the children that it waited for.
 *
 * @param code the exit code, or 128 plus the signal's number
 * @param signal the name of the signal that ended it
 */
public record ExitStatus(int code, @Nullable String signal, Used used) {

  /**
   * The usage as the kernel counted it.
   *
   * @param maxRssBytes the largest resident set, including that of its parent before the exec
   * @param readBytes fetched from storage
   * @param writtenBytes sent to storage, now or later
   */
  public record Used(
      long userMs, long systemMs, long maxRssBytes, long readBytes, long writtenBytes) {}
}
