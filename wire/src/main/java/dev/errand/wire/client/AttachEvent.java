package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;

/** An event for an attached client. */
public sealed interface AttachEvent {

  /**
   * Connected, for the first time or again; the output continues after this frame. Rows and columns
   * are those of that moment, or 0 where there is no terminal.
   */
  record Connected(int rows, int cols, long seq, boolean again) implements AttachEvent {}

  /** Sequences that bring a fresh terminal to the state where the output continues. */
  record Screen(String ansi, long offset) implements AttachEvent {}

  /** The next bytes; none is missing before them and none comes twice. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Output(long offset, byte[] bytes) implements AttachEvent {}

  /** These bytes are not kept. */
  record Gap(long from, long to) implements AttachEvent {}

  /** The terminal has another size for what follows; {@code seq} is the frame that says so. */
  record Resized(int rows, int cols, String by, long seq) implements AttachEvent {}

  /** An input or a request was refused. */
  record Refused(ErrandException failure) implements AttachEvent {}

  /** The task is over; nothing follows. */
  record Ended(TaskStatus status) implements AttachEvent {}
}
