package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Reach;
import org.jspecify.annotations.Nullable;

/**
 * The filter of what a call may be shown: all, or one session's tasks and those that they started.
 */
final class ReachFilter {
  private final Journal journal;
  private final @Nullable SessionId session;
  private final boolean isBound;

  /** {@code isBound} tells whether it is the token that keeps the call to that session. */
  ReachFilter(Journal journal, @Nullable SessionId session, boolean isBound) {
    this.journal = journal;
    this.session = session;
    this.isBound = isBound;
  }

  /** The session that it is limited to; null for none. */
  @Nullable SessionId session() {
    return session;
  }

  boolean covers(TaskRow row) {
    return session == null || Reach.covers(journal, session, row);
  }

  /** The same by id, for a task that exists or existed. */
  boolean covers(TaskId taskId) {
    return session == null || Reach.covers(journal, session, taskId);
  }

  /**
   * An artifact belongs to the tasks that wrote it and to the sessions that uploaded it; any of
   * them opens it. By its digest alone an upload is open to those only who are not bound.
   */
  boolean coversArtifact(String sha256) {
    return session == null
        || journal.artifactLinks(sha256).stream().anyMatch(it -> opens(it, session));
  }

  private boolean opens(ArtifactLink link, SessionId kept) {
    var taskId = link.taskId();
    return taskId == null ? !isBound || kept.equals(link.uploader()) : covers(taskId);
  }

  /** Refuses another session than the one that it is limited to. */
  void mustCover(SessionId named) {
    if (session != null && !session.equals(named)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this %s is for session %s only".formatted(isBound ? "token" : "call", session.value()));
    }
  }

  /** The same query limited to what is visible; refused if it names another session. */
  TaskQuery limit(TaskQuery query) {
    if (session == null) {
      return query;
    }
    var named = query.sessionId();
    if (named != null) {
      mustCover(named);
      return query;
    }
    return query.in(session).withDescendants();
  }
}
