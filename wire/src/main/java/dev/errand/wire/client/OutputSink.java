package dev.errand.wire.client;

import dev.errand.core.task.LogStream;

/** Takes the output of a task that is followed. */
@FunctionalInterface
public interface OutputSink {

  /** The next bytes of a stream, exactly as written; each byte comes once and in order. */
  void output(LogStream stream, long offset, byte[] bytes);

  /**
   * Where in this range the bytes begin that are wanted, and at its end where none are; asked
   * before they come, so that none are fetched in vain.
   */
  default long wantedFrom(LogStream stream, long from, long to) {
    return from;
  }

  /** Bytes of this range were dropped by the output cap, or lost, before they were read. */
  default void gap(LogStream stream, long from, long to) {}

  /** Every frame, before its output. */
  default void frame(EventFrame frame) {}
}
