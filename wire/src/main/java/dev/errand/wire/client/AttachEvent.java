package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;

/** What an attached client learns. */
public sealed interface AttachEvent {

  /**
   * There is a connection, for the first time or again, and the output goes on behind this frame.
   * Rows and columns are those of that moment, or 0 where there is no terminal.
   */
  record Connected(int rows, int cols, long seq, boolean again) implements AttachEvent {}

  /** What brings a fresh terminal to the state behind which the output goes on. */
  record Screen(String ansi, long offset) implements AttachEvent {}

  /** The next bytes; none is missing before them and none comes twice. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Output(long offset, byte[] bytes) implements AttachEvent {}

  /** These bytes are not kept. */
  record Gap(long from, long to) implements AttachEvent {}

  /** The terminal has another size for what follows; {@code seq} is the frame that says so. */
  record Resized(int rows, int cols, String by, long seq) implements AttachEvent {}

  /** Something that was typed or asked for is not done. */
  record Refused(ErrandException failure) implements AttachEvent {}

  /** The task is over; nothing follows. */
  record Ended(TaskStatus status) implements AttachEvent {}
}
