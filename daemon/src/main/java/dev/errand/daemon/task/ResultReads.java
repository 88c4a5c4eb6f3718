package dev.errand.daemon.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * Is called when the result of an ended task was delivered: its retention starts then, and if its
 * own session has read it, the session gets no further notice of it.
 */
public interface ResultReads {

  /** The reader of a result: the name that frames show, and the session that it reads for. */
  record Reader(String by, SessionId session) {}

  /** A repeated call changes nothing. */
  void read(TaskId taskId, Reader reader);

  /**
   * The answer to a call contains the result of this task, if it is over. If the answer cannot be
   * delivered, nothing was read.
   */
  default Answered answering(TaskRow row, Reader reader) {
    var first = row.lifetime().readAtMs() == 0;
    if (row.active() || !(first || row.sessionId().equals(reader.session()))) {
      return _ -> {};
    }
    return heard -> {
      if (heard) {
        read(row.id(), reader);
      }
    };
  }

  /** Called with whether the caller got an answer that is no refusal. */
  interface Answered {
    void done(boolean heard);
  }
}
