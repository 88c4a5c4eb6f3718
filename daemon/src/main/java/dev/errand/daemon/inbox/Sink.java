package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.function.Supplier;

/**
 * Who wants to know at once what happens to the tasks of sessions.
 *
 * <p>Each call is a hint that comes after the commit, while the task is held: it must be quick and
 * must not block. What was noticed lies in the inbox, where a sink reads on from its own cursor, so
 * a call that is lost costs time and never a notice.
 */
public interface Sink {

  /** A task ended, or another change of its state that its session wants to know of. */
  void statusChanged(Told told);

  /** A task's watcher saw what it watches for, or saw so much of it that it tells no more. */
  void watcherHit(Told told);

  /** A task has written more. */
  default void output(SessionId sessionId, TaskId taskId) {}

  /**
   * What is in the inbox now, and the end of what the task had written until then, in at most
   * {@link dev.errand.daemon.output.Tails#SNIPPET_CHARS} characters. The snippet is made when it is
   * asked for, which must not be during the call.
   */
  record Told(Notice notice, Supplier<String> snippet) {
    public SessionId sessionId() {
      return notice.subject().sessionId();
    }
  }
}
