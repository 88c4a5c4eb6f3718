package dev.errand.daemon.attach;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;

/** Draws the present state of a terminal, for a new client. */
public interface FirstScreen {

  Drawn draw(Share share, TaskId taskId) throws InterruptedException;

  /**
   * A terminal as text.
   *
   * @param ansi the text that brings a new terminal into this state
   * @param offset how many bytes of the log are in it
   * @param seq the last frame that it includes
   */
  record Drawn(String ansi, long offset, long seq) {}
}
