package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records, off the path of the reader, that a result was delivered for the first time. A mark that
 * gets lost costs nothing but a later removal.
 */
public final class ReadMarks implements ResultReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReadMarks.class);

  /** Marks that wait; beyond it they are dropped, and the next read marks the task. */
  private static final int WAITING_MAX = 10_000;

  /** Ids that need not be looked up again. */
  private static final int REMEMBERED_MAX = 10_000;

  private final Engine engine;
  private final Journal journal;
  private final InstantSource clock;
  private final BlockingQueue<Mark> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Map<TaskId, Boolean> marked =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, Boolean> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };
  private @Nullable Thread worker;

  private record Mark(TaskId taskId, String by) {}

  public ReadMarks(Engine engine, Journal journal, InstantSource clock) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
  }

  public void start() {
    worker = Thread.ofVirtual().name("read-marks").start(this::run);
  }

  @Override
  public void read(TaskId taskId, String by) {
    // Refused when full, and that is fine: see above.
    var _ = waiting.offer(new Mark(taskId, by));
  }

  private void run() {
    try {
      while (true) {
        mark(waiting.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void mark(Mark mark) {
    if (marked.containsKey(mark.taskId())) {
      return;
    }
    try {
      var row = journal.row(mark.taskId());
      if (row.isPresent() && !row.get().active()) {
        record(row.get(), mark.by());
        marked.put(mark.taskId(), true);
      }
    } catch (ErrandException | IllegalStateException e) {
      // The second is a task that was removed meanwhile, which needs no mark any more.
      log.debug("task {} is not marked as read", mark.taskId(), e);
    }
  }

  private void record(TaskRow row, String by) {
    if (row.lifetime().readAtMs() != 0) {
      return;
    }
    var read = new SessionEvent.ResultRead(row.id(), by);
    engine.record(row.sessionId(), List.of(read), batch -> batch.row(row.readAt(clock.millis())));
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
