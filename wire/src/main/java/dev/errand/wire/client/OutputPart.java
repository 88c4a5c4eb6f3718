package dev.errand.wire.client;

/**
 * Bytes of a log, exactly as they were written.
 *
 * @param offset where the first of them stands in the stream
 * @param total how many bytes the stream had seen by then
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; copying megabytes would cost.
public record OutputPart(long offset, byte[] bytes, long total) {

  /** Where to read on. */
  public long next() {
    return offset + bytes.length;
  }
}
