package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;
import java.util.List;

/** Shows what is on the screens of tasks. */
public interface Terminals {

  /** The screen as it is now; it may stand for an earlier frame where much has been written. */
  View view(Share share, TaskId taskId) throws InterruptedException;

  /**
   * A screen after the frame {@code seq}, made of the first {@code offset} bytes of its log.
   *
   * @param beforeCursor what stands left of the cursor in its line, with all blanks
   * @param behindCursor what stands at the cursor and right of it
   */
  record View(long seq, long offset, List<String> lines, String beforeCursor, String behindCursor) {
    public View {
      lines = List.copyOf(lines);
    }
  }
}
