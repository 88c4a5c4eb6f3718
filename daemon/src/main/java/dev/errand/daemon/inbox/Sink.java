package dev.errand.daemon.inbox;

import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to know at once what happens to the tasks of sessions, however much of it makes
 * notices.
 *
 * <p>Each call is a hint that comes after the commit, while the task is held: it must be quick and
 * must not block. What was noticed lies in the inbox, where a sink reads on from its own cursor, so
 * a call that is lost costs time and never a notice. Changes that were committed together are one
 * call.
 */
public interface Sink {

  /** A task's status is another one, it waits for a person, or it is ready. */
  void statusChanged(Told told);

  /** A task's watcher saw what it watches for, or saw so much of it that it tells no more. */
  void watcherHit(Told told);

  /** A task has written more. */
  default void output(Told told) {}

  /**
   * What happened to a task.
   *
   * @param status how it stands now
   * @param notice what is in the inbox of it; absent where the task's session is not to be told
   * @param snippet the end of what the task had written until then, in at most {@link
   *     dev.errand.daemon.output.Tails#SNIPPET_CHARS} characters unless its notice is to have all;
   *     made when it is asked for, which must not be during the call
   */
  record Told(
      SessionId sessionId,
      TaskId taskId,
      String status,
      @Nullable Notice notice,
      Supplier<String> snippet) {}
}
