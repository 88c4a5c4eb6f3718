package dev.errand.daemon.schedule;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.task.Admission;
import dev.errand.daemon.task.Hosts;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets at most so many tasks run at once; the others wait, the oldest first. */
public final class Scheduler implements Admission, CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  private final int runningMax;
  private final int queuedPerSessionMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<TaskId> running = new HashSet<>();

  /** Ids sort by age, so the first is the one that has waited longest. */
  private final TreeMap<TaskId, SessionId> queued = new TreeMap<>();

  /** Those that a person has to approve first; they take no place and nobody's turn. */
  private final Map<TaskId, SessionId> held = new HashMap<>();

  private final Map<SessionId, Integer> waitingOfSession = new HashMap<>();
  private @Nullable Thread worker;

  public Scheduler(int runningMax, int queuedPerSessionMax) {
    this.runningMax = runningMax;
    this.queuedPerSessionMax = queuedPerSessionMax;
  }

  /** Takes the tasks that are not over into account, then claims for as long as it is open. */
  public void start(Engine engine, Hosts hosts) {
    engine.live().forEach(it -> place(it.taskId(), it.state()));
    worker = Thread.ofVirtual().name("scheduler").start(() -> run(engine, hosts));
  }

  @Override
  public boolean tryEnter(TaskId taskId, TaskSpec spec) {
    lock.lock();
    try {
      if (queued.isEmpty() && running.size() < runningMax) {
        running.add(taskId);
        return true;
      }
      checkWaiting(spec.origin().sessionId());
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkHeld(TaskSpec spec) {
    lock.lock();
    try {
      checkWaiting(spec.origin().sessionId());
    } finally {
      lock.unlock();
    }
  }

  /** What waits for a place and what waits for a person share one limit. */
  private void checkWaiting(SessionId sessionId) {
    var waiting = waitingOfSession.getOrDefault(sessionId, 0);
    if (waiting >= queuedPerSessionMax) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          "session %s has %d tasks waiting, which is the limit (max_queued_per_session); try again"
                  .formatted(sessionId, waiting)
              + " when some have run");
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
    if (!before.state().getClass().equals(after.state().getClass())) {
      place(after.taskId(), after.state());
    }
  }

  /** How many run and how many wait. */
  public Load load() {
    lock.lock();
    try {
      return new Load(running.size(), queued.size(), held.size());
    } finally {
      lock.unlock();
    }
  }

  public record Load(int running, int queued, int held) {}

  private void place(TaskId taskId, TaskState state) {
    lock.lock();
    try {
      switch (state) {
        case TaskState.Held it -> {
          running.remove(taskId);
          await(held, taskId, it.known().spec().origin().sessionId());
        }
        case TaskState.Queued it -> {
          running.remove(taskId);
          awaitNoMore(held, taskId);
          await(queued, taskId, it.known().spec().origin().sessionId());
        }
        case TaskState.Claimed _, TaskState.Running _ -> {
          running.add(taskId);
          awaitNoMore(queued, taskId);
        }
        case TaskState.Absent _, TaskState.Ended _ -> {
          running.remove(taskId);
          awaitNoMore(held, taskId);
          awaitNoMore(queued, taskId);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void await(Map<TaskId, SessionId> those, TaskId taskId, SessionId sessionId) {
    if (those.put(taskId, sessionId) == null) {
      waitingOfSession.merge(sessionId, 1, Integer::sum);
    }
  }

  private void awaitNoMore(Map<TaskId, SessionId> those, TaskId taskId) {
    var sessionId = those.remove(taskId);
    if (sessionId != null) {
      waitingOfSession.computeIfPresent(sessionId, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private void run(Engine engine, Hosts hosts) {
    try {
      while (true) {
        var taskId = awaitNext();
        try {
          engine.submit(taskId, new TaskCommand.Claim(hosts.forNewTasks()), null);
        } catch (ErrandException e) {
          log.warn("task {} cannot be started yet: {}", taskId, e.getMessage());
          TimeUnit.MILLISECONDS.sleep(RETRY_PAUSE.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private TaskId awaitNext() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (queued.isEmpty() || running.size() >= runningMax) {
        changed.await();
      }
      return queued.firstKey();
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
