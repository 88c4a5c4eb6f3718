package dev.errand.daemon.schedule;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends held tasks that were not answered in time. The deadline is in their first frame, so a
 * restart changes nothing. It is wall-clock time, since people see it as a time of day.
 */
public final class ApprovalTimer implements CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApprovalTimer.class);

  /** The wall clock may be set, so it is read again at this interval. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<TaskId, Long> untilMs = new HashMap<>();
  private @Nullable Thread worker;

  public ApprovalTimer(Time clock) {
    this.clock = clock;
  }

  /** Loads the held tasks and starts the timer. */
  public void start(Engine engine) {
    engine.live().forEach(it -> note(it.taskId(), it.state()));
    worker = Thread.ofVirtual().name("approval-timer").start(() -> run(engine));
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (before.state() instanceof TaskState.Held || after.state() instanceof TaskState.Held) {
      note(after.taskId(), after.state());
    }
  }

  private void note(TaskId taskId, TaskState state) {
    lock.lock();
    try {
      if (state instanceof TaskState.Held held) {
        untilMs.put(taskId, held.untilMs());
      } else {
        untilMs.remove(taskId);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run(Engine engine) {
    try {
      while (true) {
        for (var taskId : awaitDue()) {
          if (!expire(engine, taskId)) {
            clock.sleep(LOOK_AGAIN);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean expire(Engine engine, TaskId taskId) {
    try {
      engine.submit(taskId, new TaskCommand.ApprovalExpired(clock.millis()), null);
      return true;
    } catch (RuntimeException e) {
      log.error("the approval of task {} cannot be expired; retrying", taskId, e);
      return false;
    }
  }

  private List<TaskId> awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        var now = clock.millis();
        var due =
            untilMs.entrySet().stream()
                .filter(it -> it.getValue() <= now)
                .map(Map.Entry::getKey)
                .toList();
        if (!due.isEmpty()) {
          return due;
        }
        if (untilMs.isEmpty()) {
          changed.await();
        } else {
          var _ = clock.awaitNanos(lock, changed, LOOK_AGAIN.toNanos());
        }
      }
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
