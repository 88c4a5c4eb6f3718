package dev.errand.core.journal;

import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;

/**
 * What a batch does to inboxes. A notice that is acknowledged stays as long as its task; where the
 * task is gone, it goes at once.
 */
public sealed interface InboxChange {

  record Arrived(Notice notice) implements InboxChange {}

  /**
   * Acknowledges those of this session; ids that are unknown or were acknowledged change nothing.
   */
  record Acknowledged(SessionId sessionId, List<String> ids, long atMs) implements InboxChange {
    public Acknowledged {
      ids = List.copyOf(ids);
    }
  }

  /** Acknowledges what there is of this kind about a task: it is not so any more. */
  record Withdrawn(TaskId taskId, Notice.Kind kind, long atMs) implements InboxChange {}

  record Merged(Merge merge) implements InboxChange {}
}
