package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Status objects, as text: live tasks from their fold, ended ones from their view row. */
public final class TaskViews {
  private final Engine engine;
  private final Journal journal;
  private final FrameCodec codec;
  private final QueuePlaces queue;
  private final EscapedProcesses escaped;

  /** Shows nothing of the queue, and no processes that have escaped. */
  public TaskViews(Engine engine, Journal journal, FrameCodec codec) {
    this(engine, journal, codec, _ -> Map.of(), _ -> List.of());
  }

  public TaskViews(
      Engine engine,
      Journal journal,
      FrameCodec codec,
      QueuePlaces queue,
      EscapedProcesses escaped) {
    this.engine = engine;
    this.journal = journal;
    this.codec = codec;
    this.queue = queue;
    this.escaped = escaped;
  }

  /** The status object of one task. */
  public byte[] status(TaskId taskId) {
    return text(rowOf(taskId));
  }

  /** The status object of a task that stands so, committed or about to be. */
  public byte[] status(Snapshot snapshot) {
    return marked(snapshot.taskId(), unmarked(snapshot));
  }

  /** Says of a task whose record is damaged from where on, and which processes may be its own. */
  private byte[] marked(TaskId taskId, byte[] status) {
    var damagedFrom = journal.damagedFrom(StreamKey.of(taskId));
    var told =
        damagedFrom.isEmpty() ? status : StatusText.corruptFrom(status, damagedFrom.getAsLong());
    var fled = escaped.escapedFrom(taskId);
    return fled.isEmpty() ? told : StatusText.escaped(told, fled);
  }

  private byte[] unmarked(Snapshot snapshot) {
    return switch (snapshot.state()) {
      case TaskState.Absent _ -> throw missing(snapshot.taskId());
      case TaskState.Queued it -> {
        var place = queue.places(List.of(snapshot.taskId())).get(snapshot.taskId());
        yield queued(snapshot, it, place);
      }
      case TaskState.Present it -> codec.status(snapshot.taskId(), it, snapshot.lastSeq());
    };
  }

  private byte[] queued(Snapshot snapshot, TaskState.Queued state, @Nullable QueuePlace place) {
    var status = codec.status(snapshot.taskId(), state, snapshot.lastSeq());
    return place == null ? status : StatusText.queued(status, place);
  }

  /** The status object that belongs to a row. */
  public byte[] status(TaskRow row) {
    return text(row);
  }

  /** How many tasks are not over, by their status word. */
  public Map<String, Long> liveByStatus() {
    var counts = new TreeMap<String, Long>();
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Live it) {
        counts.merge(codec.statusWord(it), 1L, Long::sum);
      }
    }
    return counts;
  }

  /** Whether a task that is there is not over; otherwise what became of it, as the exception. */
  public boolean isLive(TaskId taskId) {
    return engine.isLive(taskId) || rowOf(taskId).active();
  }

  /** The view row of a task that is there; otherwise what became of it, as the exception. */
  public TaskRow rowOf(TaskId taskId) {
    return engine.row(taskId).orElseThrow(() -> missing(taskId));
  }

  /** Status objects, newest task first. */
  public List<Listed> list(TaskQuery query) {
    return texts(engine.rows(query));
  }

  /** The status objects of these rows; the queue is looked at once for all of them. */
  public List<Listed> texts(List<TaskRow> rows) {
    var live = rows.stream().filter(TaskRow::active).map(TaskRow::id).toList();
    var places = live.isEmpty() ? Map.<TaskId, QueuePlace>of() : queue.places(live);
    return rows.stream().map(it -> new Listed(it.id(), text(it, places))).toList();
  }

  private byte[] text(TaskRow row, Map<TaskId, QueuePlace> places) {
    var place = places.get(row.id());
    if (place == null) {
      return text(row);
    }
    var snapshot = engine.snapshot(row.id());
    return snapshot.state() instanceof TaskState.Queued it
        ? marked(row.id(), queued(snapshot, it, place))
        : status(snapshot);
  }

  /**
   * The task that a label means in a session: the newest live one of that name, else the newest.
   */
  public Optional<TaskRow> labelled(SessionId sessionId, String label) {
    return newest(sessionId, label, true).or(() -> newest(sessionId, label, null));
  }

  private Optional<TaskRow> newest(SessionId sessionId, String label, @Nullable Boolean active) {
    var query = new TaskQuery(sessionId, label, null, Set.of(), active, null, 1);
    return engine.rows(query).stream().findFirst();
  }

  @SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
  public record Listed(TaskId id, byte[] statusText) {}

  private byte[] text(TaskRow row) {
    if (!row.active() && row.foldVersion() == TaskFold.VERSION) {
      return marked(row.id(), row.statusText());
    }
    return status(engine.snapshot(row.id()));
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
