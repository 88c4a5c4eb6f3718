package dev.errand.core.journal;

/**
 * A frame as it is kept and sent: its place in its stream, and its text. The bytes are shared and
 * must not be changed.
 *
 * @param damaged whether what was recorded cannot be read any more; the text then says just that
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody; copying 8 KiB a frame would cost.
public record EncodedFrame(long seq, byte[] bytes, boolean damaged) {

  public EncodedFrame(long seq, byte[] bytes) {
    this(seq, bytes, false);
  }
}
