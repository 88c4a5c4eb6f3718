package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Ids;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.task.Work;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import dev.errand.wire.fault.Failpoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The operations on tasks. Each returns when its effect is committed; refusals are {@link
 * ErrandException}s.
 */
public final class Tasks {

  /** How long a control waits for the commit of its record; the host has applied it by then. */
  private static final Duration COMMIT_WAIT = Duration.ofSeconds(30);

  /** How long an operation waits for a process that is being started. */
  private static final Duration START_WAIT = Duration.ofSeconds(10);

  private final Engine engine;
  private final Feed feed;
  private final Runners runners;
  private final Admission admission;
  private final Ids ids;
  private final Time clock;

  public Tasks(
      Engine engine, Feed feed, Runners runners, Admission admission, Ids ids, Time clock) {
    this.engine = engine;
    this.feed = feed;
    this.runners = runners;
    this.admission = admission;
    this.ids = ids;
    this.clock = clock;
  }

  /** Accepts a task; it runs at once, or waits if all run slots are taken or it needs approval. */
  public Outcome spawn(TaskSpec spec, @Nullable IdempotentReply guard) {
    return spawn(spec, Environment.NONE, guard);
  }

  /** The same for a task with secrets, whose values are stored separately. */
  public Outcome spawn(TaskSpec spec, Environment secrets, @Nullable IdempotentReply guard) {
    var taskId = new TaskId(ids.next());
    if (secrets.values().isEmpty()) {
      return submit(taskId, spec, guard);
    }
    runners.commands().entrust(taskId, secrets);
    var accepted = false;
    try {
      var outcome = submit(taskId, spec, guard);
      accepted = outcome instanceof Outcome.Accepted;
      return outcome;
    } finally {
      if (!accepted) {
        runners.commands().dropSecrets(taskId);
      }
    }
  }

  private Outcome submit(TaskId taskId, TaskSpec spec, @Nullable IdempotentReply guard) {
    if (isAsked(spec)) {
      admission.checkHeld(spec);
      return engine.spawn(taskId, new TaskCommand.Spawn(spec, null), guard);
    }
    var admitted = admission.tryEnter(taskId, spec);
    try {
      var claim = admitted ? runners.claim(spec.work().kind()) : null;
      var outcome = engine.spawn(taskId, new TaskCommand.Spawn(spec, claim), guard);
      if (outcome instanceof Outcome.Refused) {
        admission.leave(taskId);
      }
      Failpoint.DAEMON_ACCEPTED.pass();
      return outcome;
    } catch (RuntimeException e) {
      admission.leave(taskId);
      throw e;
    }
  }

  /** The call that started this task and waited for it is over, whatever became of the task. */
  public void callEnded(TaskId taskId) {
    admission.callEnded(taskId);
  }

  private static boolean isAsked(TaskSpec spec) {
    var ruling = spec.ruling();
    return ruling != null && ruling.answer() instanceof Ruling.Answer.Asked;
  }

  /** Lets a held task run as soon as a run slot is free. */
  Outcome approve(TaskId taskId, String by, @Nullable IdempotentReply guard) {
    return engine.submit(taskId, new TaskCommand.Approve(by), guard);
  }

  /** Denies a held task, which never runs. */
  public Outcome deny(TaskId taskId, String reason, String by, @Nullable IdempotentReply guard) {
    return engine.submit(taskId, new TaskCommand.Deny(reason, by, clock.millis()), guard);
  }

  /**
   * Asks for the task's end; returns when the request is recorded and its signal delivered. For an
   * ended task, the processes that it was allowed to leave are ended.
   */
  public Outcome cancel(TaskId taskId, String reason, String by, @Nullable IdempotentReply guard) {
    // Before it is answered and remembered: a repeat after a failure must not get a success.
    var before = engine.snapshot(taskId).state();
    if (before instanceof TaskState.Ended it) {
      endKept(taskId, it);
    }
    var command = new TaskCommand.Cancel(reason, by, clock.millis());
    var outcome = engine.submit(taskId, command, guard);
    if (outcome instanceof Outcome.Accepted(var snapshot, _)
        && !(before instanceof TaskState.Ended)) {
      deliverCancel(snapshot, reason);
    }
    return outcome;
  }

  private void deliverCancel(Snapshot snapshot, String reason) {
    switch (snapshot.state()) {
      case TaskState.Absent _ -> {}
      case TaskState.Live it -> runners.end(snapshot.taskId(), it, reason);
      case TaskState.Ended it -> endKept(snapshot.taskId(), it);
    }
  }

  private void endKept(TaskId taskId, TaskState.Ended state) {
    var process = state.process();
    var exit = state.end().exit();
    if (process == null || exit == null || !exit.leftovers().isKept()) {
      return;
    }
    var alive = runners.commands().endKept(taskId, process, exit.leftovers().processes());
    if (!alive.isEmpty()) {
      throw new ErrandException(
          ErrorCode.HOST_UNREACHABLE,
          "the task is over, but these processes that it left cannot be ended: " + alive);
    }
  }

  /** Sends a signal to a running task's process group. */
  public void signal(TaskId taskId, CommandRunner.SignalRequest request)
      throws InterruptedException {
    var attempt = running(taskId).attempt();
    var applied = runners.commands().signal(taskId, attempt, request);
    awaitRecord(taskId, attempt.number(), applied.record());
  }

  /** Writes to a running task's standard input; the answer says how many bytes were written. */
  public int stdin(TaskId taskId, CommandRunner.StdinRequest request) throws InterruptedException {
    var attempt = typable(taskId, request).attempt();
    var applied = runners.commands().input(taskId, attempt, request);
    awaitRecord(taskId, attempt.number(), applied.record());
    checkAllTaken(applied);
    return applied.bytesWritten();
  }

  private static void checkAllTaken(CommandRunner.Applied applied) {
    var refusal = applied.refusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Writes as {@link #stdin} does, but returns as soon as it is applied: the next key must not wait
   * for a commit. True if its frame is committed already; otherwise followers of the task will see
   * the frame.
   */
  public boolean type(TaskId taskId, CommandRunner.StdinRequest request)
      throws InterruptedException {
    var attempt = typable(taskId, request).attempt();
    var applied = runners.commands().input(taskId, attempt, request);
    checkAllTaken(applied);
    return covers(engine.snapshot(taskId).state(), attempt.number(), applied.record());
  }

  private TaskState.Running typable(TaskId taskId, CommandRunner.StdinRequest request)
      throws InterruptedException {
    var running = running(taskId);
    if (!takesInput(running.facts().spec().work())) {
      throw new ErrandException(
          ErrorCode.NO_STDIN,
          "the task has no standard input; spawn it with \"stdin\": true to write to it");
    }
    if (request.keys() && running.facts().terminal() == null) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "keys require a terminal, and this task has pipes; send text or chunk_b64");
    }
    return running;
  }

  private static boolean takesInput(Work work) {
    return switch (work) {
      case Command it -> it.io().stdin();
    };
  }

  /** The present size of a task's terminal; null if it has none. */
  public @Nullable TerminalSize terminal(TaskId taskId) {
    return engine.snapshot(taskId).state() instanceof TaskState.Present it
        ? it.facts().terminal()
        : null;
  }

  /** Changes the size of the terminal of a running task. */
  public void resize(TaskId taskId, CommandRunner.ResizeRequest request)
      throws InterruptedException {
    var running = running(taskId);
    if (running.facts().terminal() == null) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "only a task with a terminal can be resized; this one has pipes");
    }
    var attempt = running.attempt();
    var applied = runners.commands().resize(taskId, attempt, request);
    awaitRecord(taskId, attempt.number(), applied.record());
  }

  /** Waits until the task is over; false if the time has passed before. */
  public boolean awaitEnd(TaskId taskId, Duration timeout) throws InterruptedException {
    var begun = clock.ticks();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var snapshot = engine.snapshot(taskId);
      // The feed reports the end; reading an ended task would fold all its frames.
      while (!following.ended()) {
        if (!(snapshot.state() instanceof TaskState.Live)) {
          return true;
        }
        var left = timeout.minusNanos(clock.ticks() - begun);
        if (!left.isPositive() || !following.awaitAfter(snapshot.lastSeq(), left)) {
          return following.ended();
        }
        snapshot = following.ended() ? snapshot : next(snapshot);
      }
      return true;
    }
  }

  /** Removes an ended task permanently. */
  public Outcome remove(TaskId taskId, String reason, String by, @Nullable IdempotentReply guard) {
    return engine.remove(taskId, reason, by, guard);
  }

  /** Waits for a task that is being started: its caller was told that it exists. */
  private TaskState.Running running(TaskId taskId) throws InterruptedException {
    if (engine.snapshot(taskId).state() instanceof TaskState.Running it) {
      return it;
    }
    await(taskId, START_WAIT, snapshot -> !(snapshot.state() instanceof TaskState.Claimed));
    return switch (engine.snapshot(taskId).state()) {
      case TaskState.Absent _ ->
          throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
      case TaskState.Held _, TaskState.Queued _, TaskState.Claimed _ ->
          throw new ErrandException(
              ErrorCode.TASK_NOT_RUNNING, "the task has not started yet; try again when it runs");
      case TaskState.Running it -> it;
      case TaskState.Ended _ -> throw new ErrandException(ErrorCode.TASK_ENDED, "the task is over");
    };
  }

  private void awaitRecord(TaskId taskId, int attempt, long record) throws InterruptedException {
    if (!await(taskId, COMMIT_WAIT, snapshot -> covers(snapshot.state(), attempt, record))) {
      throw new ErrandException(
          ErrorCode.HOST_UNREACHABLE,
          "applied, but its record has not arrived; repeat it with the same key to see the answer");
    }
  }

  private static boolean covers(TaskState state, int attempt, long record) {
    return switch (state) {
      case TaskState.Running it ->
          it.attempt().number() > attempt
              || (it.attempt().number() == attempt && it.attempt().lastRecord() >= record);
      case TaskState.Absent _,
          TaskState.Held _,
          TaskState.Queued _,
          TaskState.Claimed _,
          TaskState.Ended _ ->
          true;
    };
  }

  private interface Condition {
    boolean holds(Snapshot snapshot);
  }

  private boolean await(TaskId taskId, Duration timeout, Condition condition)
      throws InterruptedException {
    var begun = clock.ticks();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var snapshot = engine.snapshot(taskId);
      while (true) {
        if (condition.holds(snapshot)) {
          return true;
        }
        var left = timeout.minusNanos(clock.ticks() - begun);
        if (!left.isPositive() || !following.awaitAfter(snapshot.lastSeq(), left)) {
          return condition.holds(engine.snapshot(taskId));
        }
        snapshot = next(snapshot);
      }
    }
  }

  /** The journal has a frame slightly earlier than the engine's state reflects it. */
  private Snapshot next(Snapshot seen) {
    var now = engine.snapshot(seen.taskId());
    return now.lastSeq() > seen.lastSeq() ? now : engine.settled(seen.taskId());
  }
}
