package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.time.Instant;
import java.util.List;

/** Status objects, as text: live tasks from their fold, ended ones from their view row. */
public final class TaskViews {
  private final Engine engine;
  private final Journal journal;
  private final FrameCodec codec;

  public TaskViews(Engine engine, Journal journal, FrameCodec codec) {
    this.engine = engine;
    this.journal = journal;
    this.codec = codec;
  }

  /** The status object of one task. */
  public byte[] status(TaskId taskId) {
    return text(rowOf(taskId));
  }

  /** The view row of a task that is there; otherwise what became of it, as the exception. */
  public TaskRow rowOf(TaskId taskId) {
    return journal.row(taskId).orElseThrow(() -> missing(taskId));
  }

  /** Status objects, newest task first. */
  public List<Listed> list(TaskQuery query) {
    return journal.rows(query).stream().map(it -> new Listed(it.id(), text(it))).toList();
  }

  @SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
  public record Listed(TaskId id, byte[] statusText) {}

  private byte[] text(TaskRow row) {
    if (!row.active() && row.foldVersion() == TaskFold.VERSION) {
      return row.statusText();
    }
    var snapshot = engine.snapshot(row.id());
    return switch (snapshot.state()) {
      case TaskState.Absent _ -> throw missing(row.id());
      case TaskState.Present it -> codec.status(row.id(), it, snapshot.lastSeq());
    };
  }

  private ErrandException missing(TaskId taskId) {
    var tombstone = journal.tombstone(taskId);
    if (tombstone.isPresent()) {
      var it = tombstone.get();
      return new ErrandException(
          ErrorCode.TASK_REMOVED,
          "the task was removed at %s by %s: %s"
              .formatted(Instant.ofEpochMilli(it.removedAtMs()), it.by(), it.reason()));
    }
    return new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
  }
}
