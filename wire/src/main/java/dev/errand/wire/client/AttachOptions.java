package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import org.jspecify.annotations.Nullable;

/**
 * How to be attached to a task.
 *
 * @param from the offset to begin at; null: the screen as it is, then what follows
 * @param afterSeq the last known frame, together with {@code from}; null: the daemon finds the
 *     position by the offset
 * @param stream which stream of a task with pipes; null: its terminal
 * @param view read only
 * @param rows the size of the caller's own window; 0: leave the terminal as it is
 */
public record AttachOptions(
    @Nullable Long from,
    @Nullable Long afterSeq,
    @Nullable LogStream stream,
    boolean view,
    int rows,
    int cols) {

  /** The terminal of a task, to type. */
  public static final AttachOptions TERMINAL = new AttachOptions(null, null, null, false, 0, 0);

  public AttachOptions from(long offset) {
    return new AttachOptions(offset, afterSeq, stream, view, rows, cols);
  }

  /** From that offset, with resizes after that frame, both from {@code Connected}. */
  public AttachOptions from(long offset, long seq) {
    return new AttachOptions(offset, seq, stream, view, rows, cols);
  }

  public AttachOptions stream(LogStream wanted) {
    return new AttachOptions(from, afterSeq, wanted, view, rows, cols);
  }

  public AttachOptions viewing() {
    return new AttachOptions(from, afterSeq, stream, true, rows, cols);
  }

  public AttachOptions sized(int windowRows, int windowCols) {
    return new AttachOptions(from, afterSeq, stream, view, windowRows, windowCols);
  }
}
