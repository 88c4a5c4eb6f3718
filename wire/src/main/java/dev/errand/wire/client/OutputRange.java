package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.FrameType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log that a frame tells of.
 *
 * @param seq the frame's place in its task's stream
 * @param exact its bytes, where the frame has them all and unchanged
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record OutputRange(
    long seq, LogStream stream, long offset, long bytes, byte @Nullable [] exact) {
  private static final char REPLACEMENT = '\uFFFD';

  /** What a frame tells of; null where it tells of no output. */
  public static @Nullable OutputRange of(EventFrame frame) {
    if (!frame.type().equals(FrameType.OUTPUT_DELTA)) {
      return null;
    }
    var stream = LogStream.ofWord(frame.fields().text("stream")).orElse(null);
    if (stream == null) {
      return null;
    }
    var log = frame.fields().object("artifacts").object("log");
    var bytes = log.number("bytes");
    return new OutputRange(
        frame.seq(), stream, log.number("offset_bytes"), bytes, exact(frame, bytes));
  }

  private static byte @Nullable [] exact(EventFrame frame, long bytes) {
    var chunk = frame.fields().text("chunk", "");
    if (frame.fields().bool("chunk_cut", true) || chunk.indexOf(REPLACEMENT) >= 0) {
      return null;
    }
    var exact = chunk.getBytes(StandardCharsets.UTF_8);
    return exact.length == bytes ? exact : null;
  }

  /** Where the next range of its log begins. */
  public long end() {
    return offset + bytes;
  }
}
