package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Optional;

/**
 * The inboxes of all sessions, as they are read. Notices stand in the order in which they became
 * readable: who has seen a cursor never later finds a new one at or before it.
 */
public interface Inboxes {

  /** Fails with INVALID_REQUEST for a foreign cursor. */
  List<NoticeEntry> notices(NoticeQuery query);

  /** Behind the last notice that is readable now, of whatever session. */
  Cursor lastNotice();

  /** How many of a session's notices nobody has acknowledged. */
  long unacknowledged(SessionId sessionId);

  /** Those of the ids that are of this session and nobody has acknowledged. */
  List<String> unacknowledged(SessionId sessionId, List<String> ids);

  /** What a session was told of this task and nobody has acknowledged. */
  List<String> unacknowledged(SessionId sessionId, TaskId taskId);

  /** The ids of what nobody has acknowledged up to the cursor; as notices for a foreign one. */
  List<String> unacknowledged(SessionId sessionId, Cursor upTo);

  Optional<Memo> memo(SessionId sessionId, String name);

  /** The memos of that name of all sessions. */
  List<Memo> memos(String name);
}
