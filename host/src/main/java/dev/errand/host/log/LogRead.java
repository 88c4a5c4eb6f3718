package dev.errand.host.log;

/** What reading at an offset gave. */
public sealed interface LogRead {

  /** So many bytes were put into the buffer; at least one. */
  record Bytes(int count) implements LogRead {}

  /** There is nothing at this offset yet, or no more. */
  record End() implements LogRead {}

  /** The bytes at this offset are not stored; the next stored byte has this offset. */
  record Dropped(long nextOffset) implements LogRead {}
}
