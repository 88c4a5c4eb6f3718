package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records, off the path of the reader, that a result was delivered for the first time, and
 * acknowledges with it what its session's inbox says about the task. A mark that gets lost costs
 * nothing but a later removal and a notice of what is known.
 */
public final class ReadMarks implements ResultReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReadMarks.class);

  /** Marks that wait; beyond it they are dropped, and the next read marks the task. */
  private static final int WAITING_MAX = 10_000;

  /** Marks in one commit. */
  private static final int MARKS_AT_ONCE = 256;

  /** Who waits for marks waits no longer than that: without them it is told a thing twice. */
  private static final Duration SETTLE_MAX = Duration.ofSeconds(2);

  /** Ids that need not be looked up again. */
  private static final int REMEMBERED_MAX = 10_000;

  private final Engine engine;
  private final Journal journal;
  private final InstantSource clock;
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Map<TaskId, Boolean> marked =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, Boolean> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };
  private @Nullable Thread worker;

  private sealed interface Waiting {}

  private record Mark(TaskId taskId, String by) implements Waiting {}

  /** Tells that all before it are recorded. */
  private record Settled(CountDownLatch reached) implements Waiting {}

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

  @Override
  public void settle() throws InterruptedException {
    var settled = new Settled(new CountDownLatch(1));
    if (worker != null && waiting.offer(settled)) {
      var _ = settled.reached().await(SETTLE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run() {
    var taken = new ArrayList<Waiting>();
    try {
      while (true) {
        taken.add(waiting.take());
        waiting.drainTo(taken, MARKS_AT_ONCE - 1);
        mark(taken.stream().filter(Mark.class::isInstance).map(Mark.class::cast).toList());
        taken.stream()
            .filter(Settled.class::isInstance)
            .forEach(it -> ((Settled) it).reached().countDown());
        taken.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * One commit for each session: results are often read as soon as they are there, many at once.
   */
  private void mark(List<Mark> marks) {
    try {
      var ofSession = new LinkedHashMap<SessionId, Map<TaskId, Unread>>();
      for (var mark : marks) {
        unread(mark)
            .ifPresent(it ->
                ofSession
                    .computeIfAbsent(it.row().sessionId(), _ -> new LinkedHashMap<>())
                    .putIfAbsent(mark.taskId(), it));
      }
      ofSession.forEach((sessionId, unread) -> record(sessionId, List.copyOf(unread.values())));
    } catch (ErrandException | IllegalStateException e) {
      // The second is a task that was removed meanwhile, which needs no mark any more; the others
      // are marked when they are read again.
      log.debug("{} tasks are not marked as read", marks.size(), e);
    }
  }

  private record Unread(TaskRow row, String by) {}

  private Optional<Unread> unread(Mark mark) {
    if (marked.containsKey(mark.taskId())) {
      return Optional.empty();
    }
    return journal
        .row(mark.taskId())
        .filter(it -> !it.active() && it.lifetime().readAtMs() == 0)
        .map(it -> new Unread(it, mark.by()));
  }

  private void record(SessionId sessionId, List<Unread> unread) {
    List<SessionEvent> events = new ArrayList<>();
    unread.forEach(it -> events.add(new SessionEvent.ResultRead(it.row().id(), it.by())));
    var at = clock.millis();
    engine.record(
        sessionId,
        events,
        batch -> {
          for (var it : unread) {
            batch.row(it.row().readAt(at));
            batch.inbox(new InboxChange.TaskAcknowledged(it.row().id(), at));
          }
        });
    unread.forEach(it -> marked.put(it.row().id(), true));
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
