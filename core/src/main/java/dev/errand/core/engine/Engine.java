package dev.errand.core.engine;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.Decision;
import dev.errand.core.task.PacedDecider;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The only way to change a task: a command is decided on the state of its task, its frames are
 * committed, and only then the state changes and the listeners are called. Thread-safe.
 */
public final class Engine {
  private final Journal journal;
  private final Fence fence;
  private final InstantSource clock;
  private final Framing framing;
  private final LiveTasks tasks;
  private final SessionStreams sessions;
  private final Listeners listeners;

  public Engine(
      Journal journal,
      Fence fence,
      FrameCodec codec,
      Ids ids,
      InstantSource clock,
      ListenerFailure failure) {
    this.journal = journal;
    this.fence = fence;
    this.clock = clock;
    this.framing = new Framing(codec, ids, clock);
    this.tasks = new LiveTasks(journal, codec);
    this.sessions = new SessionStreams(journal);
    this.listeners = new Listeners(failure);
  }

  /** One command for one task. */
  public record Submission(TaskId taskId, TaskCommand command) {}

  /** Must be called before the first command. */
  public void subscribe(CommitListener listener) {
    listeners.add(listener);
  }

  /**
   * The task as it was last committed; never waits. Its state is Absent where there is none of this
   * id.
   */
  public Snapshot snapshot(TaskId taskId) {
    var known = tasks.known(taskId);
    return known != null ? known : settled(taskId);
  }

  /** The task as it stood after its frame {@code seq}; as it is now where it has no later one. */
  public Snapshot snapshot(TaskId taskId, long seq) {
    var known = snapshot(taskId);
    return known.lastSeq() <= seq ? known : tasks.upTo(taskId, seq);
  }

  /** Whether something of its record was found damaged. */
  public boolean isDamaged(TaskId taskId) {
    return journal.damagedFrom(StreamKey.of(taskId)).isPresent();
  }

  /** Whether the task is there and not over, without a look into the journal. */
  public boolean isLive(TaskId taskId) {
    var known = tasks.known(taskId);
    return known != null && known.state() instanceof TaskState.Live;
  }

  /** The task as it was last committed, if it is not over; never looks into the journal. */
  public Optional<Snapshot> liveSnapshot(TaskId taskId) {
    return Optional.ofNullable(tasks.known(taskId))
        .filter(it -> it.state() instanceof TaskState.Live);
  }

  /** The task as it stands when every commit that is under way for it is done. */
  public Snapshot settled(TaskId taskId) {
    return tasks.with(taskId, LiveTasks.Cell::snapshot);
  }

  /** The tasks that are held in memory because they are not over. */
  public List<Snapshot> live() {
    return tasks.live();
  }

  public Outcome submit(TaskId taskId, TaskCommand command, @Nullable IdempotentReply guard) {
    return tasks.with(taskId, cell -> submit(cell, cell.snapshot(), command, guard));
  }

  /** Creates a task with a new id. */
  public Outcome spawn(TaskId freshId, TaskCommand.Spawn command, @Nullable IdempotentReply guard) {
    return tasks.with(freshId, cell -> submit(cell, cell.fresh(), command, guard));
  }

  private Outcome submit(
      LiveTasks.Cell cell, Snapshot before, TaskCommand command, @Nullable IdempotentReply guard) {
    var decider = decider(before);
    return switch (decider.decide(command)) {
      case Decision.Refused it -> refuse(it.code(), it.detail(), guard);
      case Decision.Accepted it -> {
        var batch = Batch.of(fence);
        var change = framing.change(before, decider.finish(), batch);
        var accepted = new Outcome.Accepted(change.after(), !it.events().isEmpty());
        remember(batch, guard, accepted, before.taskId());
        commit(batch);
        cell.advance(change.after());
        tell(change);
        yield accepted;
      }
    };
  }

  /** The same request would be refused again, so the answer is kept, unless time may change it. */
  private Outcome refuse(ErrorCode code, String detail, @Nullable IdempotentReply guard) {
    var refused = new Outcome.Refused(code, detail);
    if (!code.retryable()) {
      commit(batch -> remember(batch, guard, refused, null));
    }
    return refused;
  }

  /**
   * Decides all of these, in order for each task, and commits the results together. Refused
   * commands are skipped: hosts report this way, and a report about a removed task has no effect.
   */
  public void submitAll(List<Submission> submissions) {
    var commands = new TreeMap<TaskId, List<TaskCommand>>();
    for (var it : submissions) {
      commands.computeIfAbsent(it.taskId(), _ -> new ArrayList<>()).add(it.command());
    }
    var perTask = List.copyOf(commands.values());
    tasks.withAll(List.copyOf(commands.keySet()), held -> submitHeld(held, perTask));
  }

  private void submitHeld(List<LiveTasks.Cell> held, List<List<TaskCommand>> commands) {
    var batch = Batch.of(fence);
    var changes = new ArrayList<Framing.Change>();
    for (var i = 0; i < held.size(); i++) {
      var before = held.get(i).snapshot();
      var decider = decider(before);
      // A refused command changes nothing.
      commands.get(i).forEach(decider::decide);
      changes.add(framing.change(before, decider.finish(), batch));
    }
    if (changes.stream().allMatch(Framing.Change::fleeting)) {
      batch.lazily();
    }
    commit(batch);
    // All are committed: every state must have changed before a listener reads another task.
    for (var i = 0; i < held.size(); i++) {
      held.get(i).advance(changes.get(i).after());
    }
    changes.forEach(this::tell);
  }

  private PacedDecider decider(Snapshot before) {
    return new PacedDecider(before.state(), before.pending(), clock.millis());
  }

  /** The view row of a task, as its frames say where the row itself is damaged. */
  public Optional<TaskRow> row(TaskId taskId) {
    return journal.row(taskId).map(this::whole);
  }

  /** The view rows that fit a query, each as {@link #row} gives it. */
  public List<TaskRow> rows(TaskQuery query) {
    return journal.rows(query).stream().map(this::whole).toList();
  }

  private TaskRow whole(TaskRow row) {
    if (row.foldVersion() != TaskRow.DAMAGED) {
      return row;
    }
    var snapshot = snapshot(row.id());
    return snapshot.state() instanceof TaskState.Present ? Rows.of(snapshot, framing.codec()) : row;
  }

  /** Rebuilds the view row of a task from its frames. */
  public void restoreRow(TaskId taskId) {
    tasks.with(
        taskId,
        cell -> {
          var snapshot = cell.snapshot();
          if (snapshot.state() instanceof TaskState.Present) {
            commit(batch -> batch.row(Rows.of(snapshot, framing.codec())));
          }
          return snapshot;
        });
  }

  /** Removes an ended task with its frames; refused while the task is live. */
  public Outcome remove(TaskId taskId, String reason, String by, @Nullable IdempotentReply guard) {
    return tasks.with(taskId, cell -> remove(cell, reason, by, guard));
  }

  private Outcome remove(
      LiveTasks.Cell cell, String reason, String by, @Nullable IdempotentReply guard) {
    var last = cell.snapshot();
    return switch (last.state()) {
      case TaskState.Absent _ ->
          refuse(ErrorCode.TASK_NOT_FOUND, "there is no task of this id", guard);
      case TaskState.Live _ -> {
        var detail = "the task is not over; cancel it first, then remove it";
        yield refuse(ErrorCode.TASK_NOT_ENDED, detail, guard);
      }
      case TaskState.Ended it -> {
        var origin = it.facts().spec().origin();
        var sessionId = origin.sessionId();
        var accepted = new Outcome.Accepted(last, true);
        var event = new SessionEvent.TaskRemoved(last.taskId(), reason, by);
        record(
            sessionId,
            List.of(event),
            batch -> {
              batch.remove(
                  new Tombstone(last.taskId(), sessionId, clock.millis(), reason, by, origin.by()));
              remember(batch, guard, accepted, null);
            });
        cell.forget();
        listeners.removed(last, it);
        yield accepted;
      }
    };
  }

  /** Records that a task was refused before it was created; committed when this returns. */
  public Outcome reject(
      SessionId sessionId,
      SessionEvent.TaskRejected event,
      Outcome.Refused refused,
      @Nullable IdempotentReply guard) {
    record(sessionId, List.of(event), batch -> remember(batch, guard, refused, null));
    return refused;
  }

  /** Records what happened in a session, and whatever else the caller puts into the same commit. */
  public void record(SessionId sessionId, List<SessionEvent> events, Consumer<Batch.Builder> more) {
    sessions.with(
        sessionId,
        lastSeq -> {
          var batch = Batch.of(fence);
          var frames = framing.frames(sessionId, lastSeq, events);
          var stream = StreamKey.of(sessionId);
          if (!frames.isEmpty()) {
            batch.append(new Append(stream, lastSeq, frames));
          }
          more.accept(batch);
          commit(batch);
          if (!frames.isEmpty()) {
            listeners.advanced(stream, frames);
          }
        });
  }

  /** Commits a change that belongs to no stream, such as a kept upload. */
  public void commit(Consumer<Batch.Builder> parts) {
    var batch = Batch.of(fence);
    parts.accept(batch);
    commit(batch);
  }

  /** Remembers the reply to a request whose effect was not a commit of its own. */
  public void remember(
      IdempotencyKey key, String bodyDigest, byte[] reply, @Nullable TaskId taskId) {
    var remembered = new RememberedReply(key, bodyDigest, reply, taskId, clock.millis());
    commit(batch -> batch.reply(remembered));
  }

  private void tell(Framing.Change change) {
    if (change.frames().isEmpty()) {
      if (!change.after().pending().equals(change.before().pending())) {
        listeners.stored(change.after());
      }
      return;
    }
    listeners.advanced(StreamKey.of(change.after().taskId()), change.frames());
    listeners.moved(change.before(), change.after());
    listeners.noticed(change.before(), change.after(), change.notices());
  }

  private void remember(
      Batch.Builder batch,
      @Nullable IdempotentReply guard,
      Outcome outcome,
      @Nullable TaskId taskId) {
    if (guard != null) {
      var reply = guard.reply().apply(outcome);
      batch.reply(
          new RememberedReply(guard.key(), guard.bodyDigest(), reply, taskId, clock.millis()));
    }
  }

  private void commit(Batch.Builder batch) {
    if (!batch.isEmpty()) {
      journal.commit(batch.build());
    }
  }
}
