package dev.errand.core.journal;

import dev.errand.core.task.SessionId;

/**
 * Which notices of a session are wanted, oldest first: behind a cursor, acknowledged ones only with
 * {@code all}.
 */
public record NoticeQuery(SessionId sessionId, Cursor after, boolean all, int limit) {
  /** One more than the largest page, so that a reader learns whether another page follows. */
  public static final int LIMIT_MAX = 1_001;

  public NoticeQuery {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1.." + LIMIT_MAX);
    }
  }

  /** The same from another cursor on. */
  public NoticeQuery after(Cursor cursor) {
    return new NoticeQuery(sessionId, cursor, all, limit);
  }
}
