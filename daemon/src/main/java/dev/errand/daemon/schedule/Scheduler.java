package dev.errand.daemon.schedule;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.task.Admission;
import dev.errand.daemon.task.QueuePlaces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts tasks when it is their turn. The commit listener only updates the {@link RunQueue}; one
 * worker looks up how dependencies ended, ends tasks that can never start, and claims the next
 * ones, many in one commit.
 */
public final class Scheduler implements Admission, CommitListener, QueuePlaces, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  /**
   * The wall clock may be set during a delay, so it is read again at this interval; an end that
   * could not be read is retried at the same interval.
   */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** The limit of tasks claimed, or ended before their start, in one commit. */
  private static final int AT_ONCE_MAX = 64;

  private final Time clock;
  private final QueueEntries entries;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final RunQueue queue;
  private final SessionQueueLimit waitingCounts;
  private final WaitedCalls calls;
  private final SettlingServices services;

  /** Tasks that wait for approval; they take no capacity and do not block others. */
  private final Set<TaskId> held = new HashSet<>();

  /** Dependencies whose end must be looked up. */
  private final Set<TaskId> toLookUp = new LinkedHashSet<>();

  /** Dependencies whose end could not be read, until the next retry. */
  private final Set<TaskId> unread = new HashSet<>();

  private long readAgainAtNanos;

  /** Tasks that have capacity but are not recorded as claimed yet. */
  private final Set<TaskId> taken = new HashSet<>();

  private boolean standing;
  private @Nullable Thread worker;

  /**
   * How many tasks may run and wait.
   *
   * @param running tasks without quota
   * @param perSession tasks with quota, in each session
   * @param overall tasks with quota, in all sessions
   * @param priorityStep how much earlier one step of priority ranks a task
   * @param calls those without quota that a call waits for, in each session
   * @param settle how long a service runs that does not say when it is ready, before it leaves its
   *     lane and the quotas
   */
  public record Limits(
      int running,
      int queuedPerSession,
      int perSession,
      int overall,
      Duration priorityStep,
      int calls,
      Duration settle) {}

  /** How many run and how many wait. */
  public record Load(int running, int queued, int held) {}

  /** Makes the claim command for each kind of task. */
  public interface Claims {
    TaskCommand.Claim claim(TaskKind kind);
  }

  public Scheduler(Limits limits, Time clock) {
    this.clock = clock;
    this.readAgainAtNanos = clock.ticks();
    this.entries = new QueueEntries(limits.priorityStep());
    this.queue = new RunQueue(capacity(limits));
    this.waitingCounts = new SessionQueueLimit(limits.queuedPerSession());
    this.calls = new WaitedCalls(limits.calls());
    this.services = new SettlingServices(limits.settle());
  }

  private static RunCapacity.Limits capacity(Limits limits) {
    return new RunCapacity.Limits(limits.running(), limits.perSession(), limits.overall());
  }

  /**
   * Changes the limits: more tasks may start at once, and running tasks above the new limits go on.
   * The priority step does not change, since the waiting tasks are ordered by it.
   */
  public void limit(Limits limits) {
    lock.lock();
    try {
      queue.limit(capacity(limits));
      waitingCounts.limit(limits.queuedPerSession());
      calls.limit(limits.calls());
      services.limit(limits.settle());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Loads the live tasks and starts claiming. */
  public void start(Engine engine, Claims claims) {
    engine.live().forEach(it -> place(it.taskId(), it.state()));
    worker = Thread.ofVirtual().name("scheduler").start(() -> run(engine, claims));
  }

  /** From now on no task is accepted or claimed; waiting tasks stay queued. */
  public void standStill() {
    lock.lock();
    try {
      standing = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean tryEnter(TaskId taskId, TaskSpec spec) {
    lock.lock();
    try {
      checkNotStanding();
      var now = clock.millis();
      var entry = entries.of(taskId, spec, now);
      if (spec.plan().waited()) {
        enterCall(entry);
        return true;
      }
      if (queue.admits(entry, now)) {
        queue.enter(entry, false);
        return true;
      }
      waitingCounts.check(entry.session());
      waitingCounts.add(taskId, entry.session());
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The caller waits, so the task starts now or never. */
  private void enterCall(QueueEntry entry) {
    calls.check(entry.session());
    if (!queue.hasPlace()) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          queue.placesTaken(entry.session()) + "; try again when one of the commands is over");
    }
    calls.add(entry);
    queue.enter(entry.uncounted(), false);
  }

  @Override
  public void callEnded(TaskId taskId) {
    lock.lock();
    try {
      var entry = calls.remove(taskId);
      if (entry != null) {
        queue.recount(entry, clock.millis());
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkHeld(TaskSpec spec) {
    lock.lock();
    try {
      checkNotStanding();
      waitingCounts.check(spec.origin().sessionId());
    } finally {
      lock.unlock();
    }
  }

  private void checkNotStanding() {
    if (standing) {
      throw new ErrandException(
          ErrorCode.SHUTTING_DOWN,
          "the daemon is stopping and starts no task; try again after the restart");
    }
  }

  @Override
  public void leave(TaskId taskId) {
    place(taskId, new TaskState.Absent());
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (!before.state().getClass().equals(after.state().getClass())
        || QueueEntries.isReadyService(before.state())
            != QueueEntries.isReadyService(after.state())) {
      place(after.taskId(), after.state());
    }
  }

  public Load load() {
    lock.lock();
    try {
      return new Load(queue.runningCount(), queue.waitingCount(), held.size());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Map<TaskId, QueuePlace> places(Collection<TaskId> taskIds) {
    lock.lock();
    try {
      return queue.places(taskIds);
    } finally {
      lock.unlock();
    }
  }

  private void place(TaskId taskId, TaskState state) {
    lock.lock();
    try {
      held.remove(taskId);
      taken.remove(taskId);
      services.remove(taskId);
      switch (state) {
        case TaskState.Held it -> {
          queue.remove(taskId);
          held.add(taskId);
          waitingCounts.add(taskId, it.facts().spec().origin().sessionId());
        }
        case TaskState.Queued it -> await(entries.of(taskId, it.facts()));
        case TaskState.Hosted it -> enter(entries.of(taskId, it.facts()), state);
        case TaskState.Absent _, TaskState.Ended _ -> {
          queue.remove(taskId);
          calls.remove(taskId);
          waitingCounts.remove(taskId);
          if (queue.isFollowed(taskId)) {
            toLookUp.add(taskId);
          }
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void await(QueueEntry entry) {
    waitingCounts.add(entry.id(), entry.session());
    queue.await(calls.current(entry), clock.millis());
    // They may have ended before this task was added.
    toLookUp.addAll(entry.after());
    toLookUp.addAll(entry.afterAny());
  }

  private void enter(QueueEntry entry, TaskState state) {
    waitingCounts.remove(entry.id());
    queue.enter(calls.current(entry), QueueEntries.isReadyService(state));
    if (state instanceof TaskState.Running it && QueueEntries.isSettling(it)) {
      services.add(entry.id(), it.facts().startedAtMs());
    }
  }

  /** The next steps of the worker. */
  private record Work(
      List<TaskId> toLookUp, Map<TaskId, RunQueue.Unstartable> unstartable, List<QueueEntry> next) {
    boolean isNone() {
      return toLookUp.isEmpty() && unstartable.isEmpty() && next.isEmpty();
    }
  }

  private void run(Engine engine, Claims claims) {
    try {
      while (true) {
        var work = awaitWork();
        try {
          lookUp(engine, work.toLookUp());
          end(engine, work.unstartable());
          claim(engine, claims, work.next());
        } catch (ErrandException e) {
          log.warn("tasks cannot be started yet: {}", e.getMessage());
          clock.sleep(RETRY_PAUSE);
        } catch (RuntimeException bug) {
          // Without this thread no task would ever start again.
          log.error("internal error: tasks cannot be started; retrying", bug);
          clock.sleep(RETRY_PAUSE);
        } finally {
          putBack(engine);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Work awaitWork() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        var now = clock.millis();
        queue.at(now);
        services.settled(now).forEach(queue::release);
        readAgain();
        var work = new Work(List.copyOf(toLookUp), queue.unstartable(AT_ONCE_MAX), takeNext());
        toLookUp.clear();
        if (!work.isNone()) {
          return work;
        }
        var pause = pauseMs(now);
        if (pause == null) {
          changed.await();
        } else {
          var _ = clock.awaitNanos(lock, changed, TimeUnit.MILLISECONDS.toNanos(pause));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** How long the worker can sleep if nothing changes; null for ever. */
  private @Nullable Long pauseMs(long now) {
    var due = earlier(queue.nextDueMs(), services.nextDueMs());
    if (due == null) {
      return unread.isEmpty() ? null : (Long) LOOK_AGAIN.toMillis();
    }
    return Math.min(due - now, LOOK_AGAIN.toMillis());
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }

  private void readAgain() {
    var now = clock.ticks();
    if (now - readAgainAtNanos >= 0) {
      toLookUp.addAll(unread);
      readAgainAtNanos = now + LOOK_AGAIN.toNanos();
    }
  }

  /** They take capacity before they are recorded, so that the next decisions include them. */
  private List<QueueEntry> takeNext() {
    if (standing) {
      return List.of();
    }
    var all = new ArrayList<QueueEntry>();
    for (var next = queue.next(); next != null && all.size() < AT_ONCE_MAX; next = queue.next()) {
      queue.enter(next, false);
      taken.add(next.id());
      all.add(next);
    }
    return all;
  }

  /** An unreadable dependency only delays the tasks that depend on it. */
  private void lookUp(Engine engine, List<TaskId> taskIds) {
    for (var taskId : taskIds) {
      try {
        note(taskId, DependencyEnd.of(engine, taskId).orElse(null));
      } catch (ErrandException e) {
        noteUnread(taskId, e);
      }
    }
  }

  private void note(TaskId taskId, DependencyEnd.@Nullable Ending ending) {
    lock.lock();
    try {
      unread.remove(taskId);
      if (ending != null) {
        queue.ended(taskId, ending.badly());
      }
    } finally {
      lock.unlock();
    }
  }

  private void noteUnread(TaskId taskId, ErrandException failure) {
    lock.lock();
    try {
      if (!queue.isFollowed(taskId)) {
        unread.remove(taskId);
      } else if (unread.add(taskId)) {
        log.warn("tasks that depend on {} stay queued: {}", taskId, failure.getMessage());
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(Engine engine, Map<TaskId, RunQueue.Unstartable> unstartable) {
    var ends = new ArrayList<Engine.Submission>();
    unstartable.forEach((taskId, it) ->
        ends.add(
            new Engine.Submission(
                taskId,
                new TaskCommand.DependencyFailed(it.dependency(), it.detail(), clock.millis()))));
    if (!ends.isEmpty()) {
      engine.submitAll(ends);
    }
  }

  private static void claim(Engine engine, Claims claims, List<QueueEntry> next) {
    if (!next.isEmpty()) {
      engine.submitAll(
          next.stream()
              .map(it -> new Engine.Submission(it.id(), claims.claim(it.kind())))
              .toList());
    }
  }

  /** Puts tasks whose claim was not recorded back into the queue. */
  private void putBack(Engine engine) {
    for (var taskId : takenStill()) {
      place(taskId, engine.snapshot(taskId).state());
    }
  }

  private List<TaskId> takenStill() {
    lock.lock();
    try {
      return List.copyOf(taken);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
