package dev.errand.daemon.access;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * What belongs to a session: its tasks, and whatever these have started, in any session. Whoever is
 * kept to a session, by a token or because he calls a tool, sees that and nothing else.
 */
public final class Reach {

  private Reach() {}

  public static boolean covers(Journal journal, SessionId session, TaskRow row) {
    return row.sessionId().equals(session) || journal.descends(row.id(), session);
  }

  /** The same for an id, of a task that is there or was. */
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
