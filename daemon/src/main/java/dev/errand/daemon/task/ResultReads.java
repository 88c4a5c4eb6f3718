package dev.errand.daemon.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * Is told when the result of an ended task was delivered: from then on its retention counts, and
 * where its own session has read it, the session is told of it no more.
 */
public interface ResultReads {

  /** Who is given a result: the name that frames show, and the session that it reads for. */
  record Reader(String by, SessionId session) {}

  /** Telling it again changes nothing. */
  void read(TaskId taskId, Reader reader);

  /**
   * The answer to a call has the result of this task, if it is over. Nothing was read where the
   * answer finds nobody.
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

  /** Is told whether the caller has an answer that is no refusal. */
  interface Answered {
    void done(boolean heard);
  }
}
