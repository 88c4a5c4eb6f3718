package dev.errand.wire.client;

import dev.errand.core.task.LogStream;

/** Receives the output of a followed task. */
@FunctionalInterface
public interface OutputSink {

  /** The next bytes of a stream, exactly as written; each byte comes once and in order. */
  void output(LogStream stream, long offset, byte[] bytes);

  /**
   * The offset in this range where the wanted bytes begin, or its end for none; called before the
   * bytes are fetched.
   */
  default long wantedFrom(LogStream stream, long from, long to) {
    return from;
  }

  /** Bytes of this range were dropped by the output cap, or lost, before they were read. */
  default void gap(LogStream stream, long from, long to) {}

  /** Every frame, before its output. */
  default void frame(EventFrame frame) {}
}
