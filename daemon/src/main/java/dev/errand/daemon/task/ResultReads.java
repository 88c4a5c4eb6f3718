package dev.errand.daemon.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.Set;

/**
 * Is told when the result of an ended task was delivered: from then on its retention counts, and
 * where its own session has read it, the session is told of it no more.
 */
public interface ResultReads {

  /** Who is given a result: the name that frames show, and the session that it reads for. */
  record Reader(String by, SessionId session) {}

  /** Returns at once; telling it again changes nothing. */
  void read(TaskId taskId, Reader reader);

  /**
   * The answer to a call has the result of this task, if it is over. Nothing was read where the
   * answer finds nobody, and where it can change something no inbox tells of the end before.
   */
  default Answered answering(TaskRow row, Reader reader) {
    var first = row.lifetime().readAtMs() == 0;
    if (row.active() || !(first || row.sessionId().equals(reader.session()))) {
      return _ -> {};
    }
    var awaited = awaited(row.id());
    return heard -> {
      if (heard) {
        read(row.id(), reader);
      }
      awaited.close();
    };
  }

  /** Is told whether the caller has an answer that is no refusal. */
  interface Answered {
    void done(boolean heard);
  }

  /** Someone waits for the end of this task and is answered with its result. */
  default Awaited awaited(TaskId taskId) {
    return () -> {};
  }

  /** To be closed when that is answered, or cannot be. */
  interface Awaited extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits, though not for long, until all that was told before is recorded. */
  default void settle() throws InterruptedException {}

  /** Waits, though not for long, until those who wait for the end of these are answered. */
  default void settle(Set<TaskId> ended) throws InterruptedException {}

  /** How many who waited for an end were answered, or could not be, so far. */
  default long answered() {
    return 0;
  }
}
