package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks a list shows, newest first; an absent filter matches all, and {@code before}
 * continues after the last id of the previous page.
 *
 * @param descendants whether tasks of other sessions count too that a task of this session has
 *     started, by itself or through others
 */
public record TaskQuery(
    @Nullable SessionId sessionId,
    @Nullable String label,
    @Nullable String kind,
    Set<StatusWord> statuses,
    @Nullable Boolean active,
    @Nullable TaskId before,
    int limit,
    @Nullable String batchId,
    boolean descendants) {

  /** One more than the largest page, so that a reader learns whether another page follows. */
  public static final int LIMIT_MAX = 1_001;

  public TaskQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1.." + LIMIT_MAX);
    }
  }

  public TaskQuery(
      @Nullable SessionId sessionId,
      @Nullable String label,
      @Nullable String kind,
      Set<StatusWord> statuses,
      @Nullable Boolean active,
      @Nullable TaskId before,
      int limit) {
    this(sessionId, label, kind, statuses, active, before, limit, null, false);
  }

  /** The same, and tasks of other sessions that tasks of this session started. */
  public TaskQuery withDescendants() {
    return new TaskQuery(
        sessionId, label, kind, statuses, active, before, limit, batchId, sessionId != null);
  }

  /** The same of this session only. */
  public TaskQuery in(SessionId session) {
    return new TaskQuery(
        session, label, kind, statuses, active, before, limit, batchId, descendants);
  }

  /** The newest of all tasks. */
  public static TaskQuery newest(int limit) {
    return new TaskQuery(null, null, null, Set.of(), null, null, limit);
  }

  /** The tasks of one batch of a session, newest first. */
  public static TaskQuery batch(
      SessionId sessionId, String batchId, @Nullable TaskId before, int limit) {
    return new TaskQuery(sessionId, null, null, Set.of(), null, before, limit, batchId, false);
  }

  /** The live tasks, newest first. */
  public static TaskQuery live(@Nullable TaskId before, int limit) {
    return new TaskQuery(null, null, null, Set.of(), true, before, limit);
  }
}
