package dev.errand.core.task;

import java.nio.charset.StandardCharsets;

/**
 * The readable start of an output range: at most {@link #BYTES_MAX} bytes, cut at a character
 * border. Bytes that are not UTF-8 become U+FFFD here and survive exactly in the log.
 */
public record Preview(String chunk, int bytes, boolean cut) {
  public static final int BYTES_MAX = 8 * 1024;

  /** For a range whose start is not at hand any more. */
  public static final Preview NONE = new Preview("", 0, true);

  /** Longest incomplete UTF-8 sequence that can stand at the end of a cut. */
  private static final int SPLIT_BYTES_MAX = 3;

  /** The preview of a range of {@code rangeBytes} that begins with {@code start}. */
  public static Preview of(byte[] start, long rangeBytes) {
    var length = Math.min(start.length, BYTES_MAX);
    var cut = length < rangeBytes;
    if (cut) {
      length -= splitBytes(start, length);
    }
    return new Preview(new String(start, 0, length, StandardCharsets.UTF_8), length, cut);
  }

  /** How many bytes before {@code end} begin a character whose rest lies behind it. */
  private static int splitBytes(byte[] bytes, int end) {
    for (var back = 1; back <= Math.min(SPLIT_BYTES_MAX, end); back++) {
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
