package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;
import java.util.List;

/** Renders the screens of tasks. */
public interface ScreenSource {

  /** The screen as it is now; it may stand for an earlier frame where much has been written. */
  View view(Share share, TaskId taskId) throws InterruptedException;

  /**
   * A screen after the frame {@code seq}, made of the first {@code offset} bytes of its log.
   *
   * @param alternate whether it is the other screen, which programs that fill all of it use
   */
  record View(long seq, long offset, List<String> lines, Cursor cursor, boolean alternate) {
    public View {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Where the cursor is.
   *
   * @param before the text left of it in its line, with all blanks
   * @param after the text at the cursor and right of it
   */
  record Cursor(int row, String before, String after, boolean visible) {}
}
