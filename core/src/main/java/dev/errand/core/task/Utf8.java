package dev.errand.core.task;

/** Where characters begin and end in bytes that are mostly UTF-8. */
public final class Utf8 {

  /** Longest character. */
  public static final int CHARACTER_BYTES_MAX = 4;

  private Utf8() {}

  /** How many bytes before {@code end} begin a character that continues after it. */
  public static int splitBytes(byte[] bytes, int end) {
    for (var back = 1; back < CHARACTER_BYTES_MAX && back <= end; back++) {
      var value = bytes[end - back] & 0xFF;
      if (value >= 0xC0) {
        return back < sequenceLength(value) ? back : 0;
      }
      if (value < 0x80) {
        return 0;
      }
    }
    return 0;
  }

  /** How many bytes at the start continue a character whose beginning lies before them. */
  public static int restBytes(byte[] bytes) {
    var rest = 0;
    while (rest < CHARACTER_BYTES_MAX - 1 && rest < bytes.length && (bytes[rest] & 0xC0) == 0x80) {
      rest++;
    }
    return rest;
  }

  /**
   * The length of a page of text with at most this many bytes: whole characters only, and at least
   * one, so that a small page still makes progress. A character that may be incomplete is left out.
   *
   * @param more whether bytes follow these, or may come to
   */
  public static int pageBytes(byte[] bytes, int max, boolean more) {
    var end = Math.min(max, bytes.length);
    var whole = more || end < bytes.length ? end - splitBytes(bytes, end) : end;
    return whole > 0 || end == 0 ? whole : firstCharacter(bytes, more);
  }

  private static int firstCharacter(byte[] bytes, boolean more) {
    var due = sequenceLength(bytes[0] & 0xFF);
    var length = 1;
    while (length < due && length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length++;
    }
    return length == bytes.length && length < due && more ? 0 : length;
  }

  private static int sequenceLength(int lead) {
    if (lead >= 0xF8) {
      return 1;
    }
    if (lead >= 0xF0) {
      return 4;
    }
    return lead >= 0xE0 ? 3 : 2;
  }
}
