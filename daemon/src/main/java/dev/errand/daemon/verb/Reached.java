package dev.errand.daemon.verb;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Reach;
import org.jspecify.annotations.Nullable;

/** What of many a call may be shown: all, or one session's tasks and what these have started. */
final class Reached {
  private final Journal journal;
  private final @Nullable SessionId session;

  Reached(Journal journal, @Nullable SessionId session) {
    this.journal = journal;
    this.session = session;
  }

  /** The session that it is limited to; null for none. */
  @Nullable SessionId session() {
    return session;
  }

  boolean covers(TaskRow row) {
    return session == null || Reach.covers(journal, session, row);
  }

  /** The same for an id, of a task that is there or was. */
  boolean covers(TaskId taskId) {
    return session == null || Reach.covers(journal, session, taskId);
  }

  boolean covers(SessionId other) {
    return session == null || session.equals(other);
  }

  /** The same query for what is covered only, where it names no session itself. */
  TaskQuery limit(TaskQuery query) {
    if (session == null || query.sessionId() != null) {
      return query;
    }
    return query.in(session).withDescendants();
  }
}
