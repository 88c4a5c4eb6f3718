package dev.errand.daemon.attach;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;

/** Draws a terminal as it is now, for a client that sees it for the first time. */
public interface FirstScreen {

  Drawn draw(Share share, TaskId taskId) throws InterruptedException;

  /**
   * A terminal as text.
   *
   * @param ansi what brings a fresh terminal to this state
   * @param offset how many bytes of the log are in it
   * @param seq the last frame that is in it
   */
  record Drawn(String ansi, long offset, long seq) {}
}
