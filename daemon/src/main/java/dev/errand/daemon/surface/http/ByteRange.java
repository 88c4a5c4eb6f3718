package dev.errand.daemon.surface.http;

import org.jspecify.annotations.Nullable;

/** The answer to a Range header, for content of a known length. */
sealed interface ByteRange {

  /** There is no Range header, or one that may be ignored: all bytes. */
  record Whole() implements ByteRange {}

  /** From the first to the last byte, inclusive. */
  record Part(long first, long last) implements ByteRange {
    long length() {
      return last - first + 1;
    }
  }

  /** None of the requested bytes exist. */
  record Beyond() implements ByteRange {}

  /** A single range is supported; several ranges, or another unit, are ignored as HTTP allows. */
  static ByteRange of(@Nullable String header, long length) {
    if (header == null || !header.startsWith("bytes=") || header.indexOf(',') >= 0) {
      return new Whole();
    }
    var range = header.substring("bytes=".length()).trim();
    var dash = range.indexOf('-');
    try {
      if (dash < 0) {
        return new Whole();
      }
      return dash == 0
          ? suffix(number(range.substring(1)), length)
          : part(range.substring(0, dash), range.substring(dash + 1), length);
    } catch (NumberFormatException _) {
      return new Whole();
    }
  }

  private static ByteRange suffix(long wanted, long length) {
    if (wanted == 0 || length == 0) {
      return new Beyond();
    }
    return new Part(Math.max(0, length - wanted), length - 1);
  }

  private static ByteRange part(String from, String to, long length) {
    var first = number(from);
    var last = to.isEmpty() ? Long.MAX_VALUE : number(to);
    if (last < first) {
      return new Whole();
    }
    return first >= length ? new Beyond() : new Part(first, Math.min(last, length - 1));
  }

  /** Digits only: the JDK would accept a sign, which HTTP does not allow. */
  private static long number(String text) {
    if (text.isEmpty() || !text.chars().allMatch(it -> it >= '0' && it <= '9')) {
      throw new NumberFormatException();
    }
    return Long.parseLong(text);
  }
}
