package dev.errand.daemon.access;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * The tasks of a session, and those that they started, in any session. A caller limited to a
 * session, by a token or because it calls a tool, sees these tasks and nothing else.
 */
public final class Reach {

  private Reach() {}

  public static boolean covers(Journal journal, SessionId session, TaskRow row) {
    return row.sessionId().equals(session) || journal.descends(row.id(), session);
  }

  /** The same by id, for a task that exists or existed. */
  public static boolean covers(Journal journal, SessionId session, TaskId taskId) {
    return journal
        .row(taskId)
        .map(it -> covers(journal, session, it))
        .or(() -> journal.tombstone(taskId).map(it -> covers(journal, session, it)))
        .orElse(false);
  }

  private static boolean covers(Journal journal, SessionId session, Tombstone removed) {
    return removed.sessionId().equals(session) || journal.descends(removed.taskId(), session);
  }
}
