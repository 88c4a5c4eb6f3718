package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Reads and deletes tombstones, remembered replies and artifact links. */
final class RetainedQueries {
  static final String TOMBSTONE =
      """
      SELECT session_id, removed_at_ms, reason, removed_by, spawned_by FROM tombstones
      WHERE task_id = ?
      """;

  static final String REPLY =
      """
      SELECT body_digest, reply, task_id, at_ms FROM replies
      WHERE principal = ? AND method = ? AND path = ? AND key = ?
      """;

  /** After the given reply, so that replies that stay are read only once. */
  static final String OLD_REPLIES =
      """
      SELECT at_ms, number FROM replies
      WHERE (at_ms, number) > (?, ?) AND at_ms < ?
        AND (task_id IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE id = task_id))
      ORDER BY at_ms, number LIMIT ?
      """;

  /** Checks the time again, since the reply may have been replaced since it was found. */
  private static final String FORGET_REPLY = "DELETE FROM replies WHERE number = ? AND at_ms = ?";

  static final String LINKS =
      """
      SELECT task_id, NULL, bytes, at_ms FROM artifacts WHERE sha256 = ?
      UNION ALL
      SELECT '', session_id, bytes, at_ms FROM uploads WHERE sha256 = ?
      """;

  static final String FORGET_UPLOADS =
      """
      DELETE FROM uploads
      WHERE at_ms < ?
        AND NOT EXISTS (
          SELECT 1 FROM artifacts kept
          WHERE kept.sha256 = uploads.sha256 AND kept.task_id <> '')
      RETURNING sha256
      """;

  /** Uploads whose session was not recorded. */
  static final String FORGET_OLD_UPLOADS =
      """
      DELETE FROM artifacts
      WHERE task_id = '' AND at_ms < ?
        AND NOT EXISTS (
          SELECT 1 FROM artifacts kept
          WHERE kept.sha256 = artifacts.sha256 AND kept.task_id <> '')
      RETURNING sha256
      """;

  private RetainedQueries() {}

  /** A reply and its time. */
  record OldReply(long atMs, long number) {
    static final OldReply NONE = new OldReply(Long.MIN_VALUE, 0);
  }

  static Optional<Tombstone> tombstone(Statements sql, TaskId taskId) throws SQLException {
    return sql.first(
        TOMBSTONE,
        row ->
            new Tombstone(
                taskId,
                new SessionId(row.getString(1)),
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getString(5)),
        taskId.value());
  }

  static Optional<RememberedReply> reply(Statements sql, IdempotencyKey key) throws SQLException {
    return sql.first(
        REPLY,
        row -> {
          var taskId = row.getString(3);
          return new RememberedReply(
              key,
              row.getString(1),
              row.getBytes(2),
              taskId == null ? null : new TaskId(taskId),
              row.getLong(4));
        },
        key.principal(),
        method(key),
        path(key),
        key.key());
  }

  /**
   * The columns are older than scopes, and replies of older versions are still used: the part of
   * the scope before a line end is in the first column.
   */
  static String method(IdempotencyKey key) {
    var end = key.scope().indexOf('\n');
    return end < 0 ? "" : key.scope().substring(0, end);
  }

  static String path(IdempotencyKey key) {
    return key.scope().substring(key.scope().indexOf('\n') + 1);
  }

  static List<OldReply> oldReplies(Statements sql, OldReply after, long beforeMs, int limit)
      throws SQLException {
    return sql.list(
        OLD_REPLIES,
        row -> new OldReply(row.getLong(1), row.getLong(2)),
        after.atMs(),
        after.number(),
        beforeMs,
        limit);
  }

  /** Returns how many were deleted. */
  static int forget(Statements sql, List<OldReply> replies) throws SQLException {
    var count = 0;
    for (var reply : replies) {
      count += sql.update(FORGET_REPLY, reply.number(), reply.atMs());
    }
    return count;
  }

  static List<ArtifactLink> links(Statements sql, String sha256) throws SQLException {
    return sql.list(
        LINKS,
        row -> {
          var keeper = row.getString(1);
          var session = row.getString(2);
          return new ArtifactLink(
              sha256,
              keeper.equals(BatchSql.UPLOAD) ? null : new TaskId(keeper),
              session == null ? null : new SessionId(session),
              row.getLong(3),
              row.getLong(4));
        },
        sha256,
        sha256);
  }

  static List<String> forgetUploads(Statements sql, long beforeMs) throws SQLException {
    var forgotten = new TreeSet<>(sql.list(FORGET_UPLOADS, row -> row.getString(1), beforeMs));
    forgotten.addAll(sql.list(FORGET_OLD_UPLOADS, row -> row.getString(1), beforeMs));
    return List.copyOf(forgotten);
  }
}
