package dev.errand.host.log;

/** The result of a read at an offset. */
public sealed interface LogRead {

  /** This many bytes were put into the buffer; at least one. */
  record Bytes(int count) implements LogRead {}

  /** There are no bytes at this offset yet, or the log has ended. */
  record End() implements LogRead {}

  /** The bytes at this offset are not stored; the next stored byte has this offset. */
  record Dropped(long nextOffset) implements LogRead {}
}
