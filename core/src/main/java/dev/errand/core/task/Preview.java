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

  /** The preview of a range of {@code rangeBytes} that begins with {@code start}. */
  public static Preview of(byte[] start, long rangeBytes) {
    var length = Math.min(start.length, BYTES_MAX);
    var cut = length < rangeBytes;
    if (cut) {
      length -= Utf8.splitBytes(start, length);
    }
    return new Preview(new String(start, 0, length, StandardCharsets.UTF_8), length, cut);
  }

  /** The preview of a range that is this one and the next together. */
  Preview and(Preview next) {
    return cut || bytes + next.bytes > BYTES_MAX
        ? new Preview(chunk, bytes, true)
        : new Preview(chunk + next.chunk, bytes + next.bytes, next.cut);
  }
}
