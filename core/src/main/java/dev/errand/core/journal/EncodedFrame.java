package dev.errand.core.journal;

/**
 * A frame in stored form: its seq and its text. The bytes are shared and must not be changed.
 *
 * @param damaged whether the recorded frame is unreadable; the text then says so
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; copies would be slow.
public record EncodedFrame(long seq, byte[] bytes, boolean damaged) {

  public EncodedFrame(long seq, byte[] bytes) {
    this(seq, bytes, false);
  }
}
