package dev.errand.core.journal;

import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;

/**
 * A change to an inbox. An acknowledged notice is kept as long as its task; if the task is removed,
 * it is deleted at once.
 */
public sealed interface InboxChange {

  record Arrived(Notice notice) implements InboxChange {}

  /** Acknowledges these notices of the session; unknown or acknowledged ids change nothing. */
  record Acknowledged(SessionId sessionId, List<String> ids, long atMs) implements InboxChange {
    public Acknowledged {
      ids = List.copyOf(ids);
    }
  }

  /** Acknowledges the notices of this kind about a task, because they are obsolete. */
  record Withdrawn(TaskId taskId, Notice.Kind kind, long atMs) implements InboxChange {}

  record Merged(Merge merge) implements InboxChange {}
}
