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
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of tasks: live ones from their fold, ended ones from their view row. */
public final class TaskViews {
  private final Engine engine;
  private final Journal journal;
  private final FrameCodec codec;
  private final QueuePlaces queue;
  private final EscapedProcesses escaped;

  /** Without places in the queue and without escaped processes. */
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
    return status(rowOf(taskId));
  }

  /** The status object of a task in this state, committed or about to be. */
  public byte[] status(Snapshot snapshot) {
    return codec.status(view(snapshot));
  }

  /** The status object of a row; that of an ended task is passed on as it is stored. */
  public byte[] status(TaskRow row) {
    if (!isStored(row)) {
      return status(engine.snapshot(row.id()));
    }
    var findings = findings(row.id());
    return findings.equals(TaskView.Findings.NONE)
        ? row.statusText()
        : codec.status(codec.readStatus(row.statusText()).with(findings));
  }

  /** The view of one task. */
  public TaskView view(TaskId taskId) {
    return view(rowOf(taskId));
  }

  /** The view of a task in this state, committed or about to be. */
  public TaskView view(Snapshot snapshot) {
    return snapshot.state() instanceof TaskState.Queued
        ? view(snapshot, queue.places(List.of(snapshot.taskId())))
        : view(snapshot, Map.of());
  }

  /** The same without its place in the queue, whose search reads all queued tasks. */
  public TaskView accepted(Snapshot snapshot) {
    return view(snapshot, Map.of());
  }

  /**
   * How a task stood after its frame {@code seq}. Its place in the queue is not recorded, so it is
   * told only while that is still the last frame.
   */
  public TaskView view(TaskId taskId, long seq) {
    var then = engine.snapshot(taskId, seq);
    return engine.snapshot(taskId).lastSeq() == seq ? view(then) : accepted(then);
  }

  /** The view of the task of a row. */
  public TaskView view(TaskRow row) {
    return isStored(row)
        ? codec.readStatus(row.statusText()).with(findings(row.id()))
        : view(engine.snapshot(row.id()));
  }

  private static boolean isStored(TaskRow row) {
    return !row.active() && row.foldVersion() == TaskFold.VERSION;
  }

  private TaskView view(Snapshot snapshot, Map<TaskId, QueuePlace> places) {
    if (!(snapshot.state() instanceof TaskState.Present state)) {
      throw missing(snapshot.taskId());
    }
    var view = TaskView.of(snapshot.taskId(), state, snapshot.lastSeq());
    // A claimed task waits for no other task any more.
    var place = state instanceof TaskState.Queued ? places.get(snapshot.taskId()) : null;
    return view.at(place).with(findings(snapshot.taskId()));
  }

  /** The first damaged frame of its record, and the escaped processes that may be its own. */
  private TaskView.Findings findings(TaskId taskId) {
    var damagedFrom = journal.damagedFrom(StreamKey.of(taskId));
    return new TaskView.Findings(
        damagedFrom.isEmpty() ? null : (Long) damagedFrom.getAsLong(), escaped.escapedFrom(taskId));
  }

  /** How many tasks are live, by their status word. */
  public Map<StatusWord, Long> liveByStatus() {
    var counts = new EnumMap<StatusWord, Long>(StatusWord.class);
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Live it) {
        counts.merge(StatusWord.of(it), 1L, Long::sum);
      }
    }
    return counts;
  }

  /** Throws with the reason if the task does not exist. */
  public void mustExist(TaskId taskId) {
    if (!engine.isLive(taskId)) {
      var _ = rowOf(taskId);
    }
  }

  /** Whether an existing task is live; throws with the reason if it does not exist. */
  public boolean isLive(TaskId taskId) {
    return engine.isLive(taskId) || rowOf(taskId).active();
  }

  /** The view row of an existing task; throws with the reason if it does not exist. */
  public TaskRow rowOf(TaskId taskId) {
    return engine.row(taskId).orElseThrow(() -> missing(taskId));
  }

  /** The places in the queue of those of these rows that wait; the queue is read once for all. */
  public Map<TaskId, QueuePlace> places(List<TaskRow> rows) {
    var live = rows.stream().filter(TaskRow::active).map(TaskRow::id).toList();
    return live.isEmpty() ? Map.of() : queue.places(live);
  }

  /** The view of the task of a row, whose place may be known already. */
  public TaskView view(TaskRow row, Map<TaskId, QueuePlace> places) {
    return places.containsKey(row.id()) ? view(engine.snapshot(row.id()), places) : view(row);
  }

  /** The same as a status object. */
  public byte[] status(TaskRow row, Map<TaskId, QueuePlace> places) {
    return places.containsKey(row.id())
        ? codec.status(view(engine.snapshot(row.id()), places))
        : status(row);
  }

  /**
   * The task that a label names in a session: the newest live one with that label, else the newest.
   */
  public Optional<TaskRow> labelled(SessionId sessionId, String label) {
    return newest(sessionId, label, true).or(() -> newest(sessionId, label, null));
  }

  private Optional<TaskRow> newest(SessionId sessionId, String label, @Nullable Boolean active) {
    var query = new TaskQuery(sessionId, label, null, Set.of(), active, null, 1);
    return engine.rows(query).stream().findFirst();
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
