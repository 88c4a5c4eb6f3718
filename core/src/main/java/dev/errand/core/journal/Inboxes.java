package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Optional;

/**
 * Read access to the inboxes of all sessions. Notices are in the order in which they became
 * readable: no new notice ever appears at or before a cursor that was read.
 */
public interface Inboxes {

  /** Fails with INVALID_REQUEST for a foreign cursor. */
  List<NoticeEntry> notices(NoticeQuery query);

  /** The position after the last notice of any session. */
  Cursor lastNotice();

  /** The number of unacknowledged notices of a session. */
  long unacknowledged(SessionId sessionId);

  /** Those of the ids that belong to this session and are not acknowledged. */
  List<String> unacknowledged(SessionId sessionId, List<String> ids);

  /** The unacknowledged notices of a session about this task. */
  List<String> unacknowledged(SessionId sessionId, TaskId taskId);

  /**
   * The ids of the unacknowledged notices up to the cursor; fails like {@link #notices} for a
   * foreign cursor.
   */
  List<String> unacknowledged(SessionId sessionId, Cursor upTo);

  Optional<Memo> memo(SessionId sessionId, String name);

  /** The memos with this name, of all sessions. */
  List<Memo> memos(String name);
}
