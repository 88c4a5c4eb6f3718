package dev.errand.core.journal;

import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change to an inbox. An acknowledged notice is kept as long as its task; if the task is removed,
 * it is deleted at once.
 */
public sealed interface InboxChange {

  /**
   * A new notice. Where an unacknowledged one about the same task has the same {@code likeness}, it
   * takes the place of that one and counts for both.
   *
   * @param likeness equal for notices that tell the same; null: it tells something of its own
   */
  record Arrived(Notice notice, @Nullable String likeness) implements InboxChange {
    public Arrived(Notice notice) {
      this(notice, null);
    }
  }

  /** Acknowledges these notices of the session; unknown or acknowledged ids change nothing. */
  record Acknowledged(SessionId sessionId, List<String> ids, long atMs) implements InboxChange {
    public Acknowledged {
      ids = List.copyOf(ids);
    }
  }

  /** Acknowledges the notices of this kind about a task, because they are obsolete. */
  record Withdrawn(TaskId taskId, Notice.Kind kind, long atMs) implements InboxChange {}

  /** Changes nothing unless all of these notices are there and unacknowledged. */
  record Merged(Merge merge) implements InboxChange {}
}
