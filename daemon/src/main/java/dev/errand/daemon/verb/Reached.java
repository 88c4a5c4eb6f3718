package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
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

  /** The same query for what is covered only; refused where it names a session that is not. */
  TaskQuery limit(TaskQuery query) {
    if (session == null) {
      return query;
    }
    var named = query.sessionId();
    if (named != null) {
      if (!covers(named)) {
        throw new ErrandException(
            ErrorCode.FORBIDDEN, "this call is for session " + session.value() + " only");
      }
      return query;
    }
    return query.in(session).withDescendants();
  }
}
