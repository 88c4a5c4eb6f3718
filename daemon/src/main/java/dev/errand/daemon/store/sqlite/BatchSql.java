package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.TaskId;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Writes or refuses one batch; runs inside the writer's transaction. */
final class BatchSql {
  /** Replaces the task id of an artifact whose uploader is unknown; no task has this id. */
  static final String UPLOAD = "";

  /** The size of a row without its text: ids, numbers, and index entries. */
  private static final int ROW_BYTES = 300;

  static final String LAST_SEQ =
      "SELECT coalesce(max(seq), -1) FROM frames WHERE stream_kind = ? AND stream_id = ?";

  private static final String INSERT_FRAME =
      "INSERT INTO frames (stream_kind, stream_id, seq, text, sum) VALUES (?, ?, ?, ?, ?)";

  /**
   * The common case: columns that never change are not written, so their indexes are not either.
   */
  static final String UPDATE_ROW =
      """
      UPDATE tasks
      SET status = ?, active = ?, ended_at_ms = ?, read_at_ms = ?, bytes_stored = ?,
        fold_version = ?, status_text = ?, sum = ?, exit_code = ?, cancel_requested = ?
      WHERE id = ? AND session_id = ? AND kind = ? AND label IS ? AND batch_id IS ?
        AND parent_id IS ?
      """;

  static final String DELETE_ROW = "DELETE FROM tasks WHERE id = ?";

  private static final String INSERT_ROW =
      """
      INSERT INTO tasks (id, session_id, kind, label, status, active, ended_at_ms, read_at_ms,
        bytes_stored, fold_version, status_text, batch_id, parent_id, sum, exit_code,
        cancel_requested)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String PUT_LINK =
      """
      INSERT INTO artifacts (sha256, task_id, bytes, at_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET bytes = excluded.bytes, at_ms = excluded.at_ms
      """;

  private static final String PUT_UPLOAD =
      """
      INSERT INTO uploads (sha256, session_id, bytes, at_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET bytes = excluded.bytes, at_ms = excluded.at_ms
      """;

  static final String IS_REMOVED = "SELECT EXISTS (SELECT 1 FROM tombstones WHERE task_id = ?)";

  static final String DELETE_FRAMES = "DELETE FROM frames WHERE stream_kind = ? AND stream_id = ?";

  static final String IS_DAMAGED =
      "SELECT EXISTS (SELECT 1 FROM damage WHERE stream_kind = ? AND stream_id = ?)";

  static final String DELETE_DAMAGE = "DELETE FROM damage WHERE stream_kind = ? AND stream_id = ?";

  /** The second condition lets SQLite use the partial index, which excludes uploads. */
  static final String DELETE_LINKS = "DELETE FROM artifacts WHERE task_id = ? AND task_id <> ''";

  private static final String PUT_TOMBSTONE =
      """
      INSERT INTO tombstones (task_id, session_id, removed_at_ms, reason, removed_by, spawned_by)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  private static final String PUT_REPLY =
      """
      INSERT INTO replies (principal, method, path, key, task_id, at_ms, body_digest, reply)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET task_id = excluded.task_id, at_ms = excluded.at_ms,
        body_digest = excluded.body_digest, reply = excluded.reply
      """;

  private final WriteSession session;
  private final Statements sql;

  /** Tasks that begin with this batch, so that they have no row yet. */
  private final Set<String> begun = new HashSet<>();

  private BatchSql(WriteSession session) {
    this.session = session;
    this.sql = session.statements();
  }

  /** The approximate size of the batch in a transaction. */
  static long bytes(Batch batch) {
    var bytes = 0L;
    for (var append : batch.appends()) {
      for (var frame : append.frames()) {
        bytes += ROW_BYTES + frame.bytes().length;
      }
    }
    for (var row : batch.rows()) {
      bytes += ROW_BYTES + row.statusText().length;
    }
    for (var reply : batch.replies()) {
      bytes += ROW_BYTES + reply.reply().length;
    }
    bytes += (long) ROW_BYTES * (batch.inbox().size() + batch.memos().size());
    return bytes;
  }

  /** Returns the number of frames. */
  static int write(WriteSession session, Batch batch) throws SQLException {
    return new BatchSql(session).write(batch);
  }

  private int write(Batch batch) throws SQLException {
    if (!batch.fence().equals(session.fence())) {
      throw new ErrandException(ErrorCode.FENCED, "another daemon has taken over this journal");
    }
    checkNotRemoved(batch);
    var frames = 0;
    for (var append : batch.appends()) {
      append(append);
      frames += append.frames().size();
    }
    for (var row : batch.rows()) {
      put(row);
    }
    for (var link : batch.artifacts()) {
      link(link);
    }
    for (var tombstone : batch.removals()) {
      remove(tombstone);
    }
    for (var reply : batch.replies()) {
      remember(reply);
    }
    for (var session : batch.sessions()) {
      SessionQueries.put(sql, session);
    }
    for (var change : batch.inbox()) {
      InboxSql.write(sql, change);
    }
    for (var memo : batch.memos()) {
      InboxSql.put(sql, memo);
    }
    return frames;
  }

  /** A removed task must never come back, not even in part. */
  private void checkNotRemoved(Batch batch) throws SQLException {
    for (var taskId : taskIds(batch)) {
      if (sql.number(IS_REMOVED, taskId) != 0) {
        throw new IllegalStateException("task " + taskId + " was removed");
      }
    }
  }

  private static Set<String> taskIds(Batch batch) {
    var taskIds = new HashSet<String>();
    for (var append : batch.appends()) {
      if (append.stream().kind() == StreamKey.Kind.TASK) {
        taskIds.add(append.stream().id());
      }
    }
    for (var row : batch.rows()) {
      taskIds.add(row.id().value());
    }
    for (var link : batch.artifacts()) {
      if (link.taskId() != null) {
        taskIds.add(link.taskId().value());
      }
    }
    return taskIds;
  }

  private void append(Append append) throws SQLException {
    var kind = kindNumber(append.stream().kind());
    var id = append.stream().id();
    var lastSeq = sql.number(LAST_SEQ, kind, id);
    // The last frames of a damaged stream may be missing; new frames keep their seq.
    var fits =
        lastSeq == append.afterSeq()
            || (lastSeq < append.afterSeq() && sql.number(IS_DAMAGED, kind, id) != 0);
    if (!fits) {
      throw new IllegalStateException(
          append.stream() + " stands at " + lastSeq + ", not at " + append.afterSeq());
    }
    if (append.afterSeq() < 0 && append.stream().kind() == StreamKey.Kind.TASK) {
      begun.add(id);
    }
    for (var frame : append.frames()) {
      var sum = Checksums.of(append.stream(), frame.seq(), frame.bytes());
      sql.update(INSERT_FRAME, kind, id, frame.seq(), frame.bytes(), sum);
    }
  }

  private void put(TaskRow row) throws SQLException {
    if (begun.contains(row.id().value())) {
      insert(row);
    } else if (!update(row)) {
      sql.update(DELETE_ROW, row.id().value());
      insert(row);
    }
  }

  private boolean update(TaskRow row) throws SQLException {
    var lifetime = row.lifetime();
    var updated =
        sql.update(
            UPDATE_ROW,
            row.status().word(),
            row.active(),
            lifetime.endedAtMs(),
            lifetime.readAtMs(),
            lifetime.bytesStored(),
            row.foldVersion(),
            row.statusText(),
            Checksums.of(row),
            row.outcome().exitCode(),
            row.outcome().cancelRequested(),
            row.id().value(),
            row.sessionId().value(),
            row.kind(),
            row.label(),
            row.batchId(),
            row.parent() == null ? null : row.parent().value());
    return updated > 0;
  }

  private void insert(TaskRow row) throws SQLException {
    var lifetime = row.lifetime();
    sql.update(
        INSERT_ROW,
        row.id().value(),
        row.sessionId().value(),
        row.kind(),
        row.label(),
        row.status().word(),
        row.active(),
        lifetime.endedAtMs(),
        lifetime.readAtMs(),
        lifetime.bytesStored(),
        row.foldVersion(),
        row.statusText(),
        row.batchId(),
        row.parent() == null ? null : row.parent().value(),
        Checksums.of(row),
        row.outcome().exitCode(),
        row.outcome().cancelRequested());
    DescentSql.put(sql, row);
  }

  private void link(ArtifactLink link) throws SQLException {
    var taskId = link.taskId();
    var uploader = link.uploader();
    if (uploader != null) {
      sql.update(PUT_UPLOAD, link.sha256(), uploader.value(), link.bytes(), link.atMs());
      return;
    }
    var keeper = taskId == null ? UPLOAD : taskId.value();
    sql.update(PUT_LINK, link.sha256(), keeper, link.bytes(), link.atMs());
  }

  private void remove(Tombstone tombstone) throws SQLException {
    var id = tombstone.taskId().value();
    sql.update(DELETE_FRAMES, kindNumber(StreamKey.Kind.TASK), id);
    sql.update(DELETE_ROW, id);
    sql.update(DELETE_DAMAGE, kindNumber(StreamKey.Kind.TASK), id);
    DescentSql.removed(sql, tombstone.taskId());
    sql.update(DELETE_LINKS, id);
    InboxSql.taskRemoved(sql, tombstone.taskId());
    sql.update(
        PUT_TOMBSTONE,
        id,
        tombstone.sessionId().value(),
        tombstone.removedAtMs(),
        tombstone.reason(),
        tombstone.by(),
        tombstone.spawnedBy());
  }

  private void remember(RememberedReply reply) throws SQLException {
    var key = reply.key();
    TaskId taskId = reply.taskId();
    sql.update(
        PUT_REPLY,
        key.principal(),
        RetainedQueries.method(key),
        RetainedQueries.path(key),
        key.key(),
        taskId == null ? null : taskId.value(),
        reply.atMs(),
        reply.bodyDigest(),
        reply.reply());
  }

  /** The number of a kind in the database; must never change. */
  static int kindNumber(StreamKey.Kind kind) {
    return switch (kind) {
      case TASK -> 0;
      case SESSION -> 1;
    };
  }

  static StreamKey.Kind kind(int number) {
    for (var kind : StreamKey.Kind.values()) {
      if (kindNumber(kind) == number) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind of stream has the number " + number);
  }
}
