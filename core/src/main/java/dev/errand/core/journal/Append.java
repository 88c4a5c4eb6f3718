package dev.errand.core.journal;

import java.util.List;

/**
 * Frames to add to one stream, directly after {@code afterSeq} (-1: the stream is new). If the
 * stream ends elsewhere, the whole batch is refused.
 */
public record Append(StreamKey stream, long afterSeq, List<EncodedFrame> frames) {
  public Append {
    frames = List.copyOf(frames);
    var expected = afterSeq;
    for (var frame : frames) {
      expected++;
      if (frame.seq() != expected) {
        throw new IllegalArgumentException("seq " + frame.seq() + " where " + expected + " is due");
      }
    }
  }
}
