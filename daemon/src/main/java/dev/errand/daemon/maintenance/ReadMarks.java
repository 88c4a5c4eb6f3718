package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Batch;
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
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records, off the path of the reader, that a result was delivered for the first time. Where the
 * task's own session reads it, what its inbox says about the task is acknowledged with that; others
 * may look without taking anything away. A mark that gets lost costs nothing but a later removal
 * and a notice of what is known.
 */
public final class ReadMarks implements ResultReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReadMarks.class);

  /** Marks that wait; beyond it they are dropped, and the next read marks the task. */
  private static final int WAITING_MAX = 10_000;

  /** Marks in one commit. */
  private static final int MARKS_AT_ONCE = 256;

  /** How long others are waited for: who has read a result mostly asks for the next thing now. */
  private static final Duration GATHER = Duration.ofMillis(50);

  /** Who waits for marks waits no longer than that: without them it is told a thing twice. */
  private static final Duration SETTLE_MAX = Duration.ofSeconds(2);

  /** Ids that need not be looked up again. */
  private static final int REMEMBERED_MAX = 10_000;

  private final Engine engine;
  private final Journal journal;
  private final InstantSource clock;
  private final Duration gather;
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Semaphore hurry = new Semaphore(0);

  /** One latch for each who waits; a task that nobody waits for has no entry. */
  private final Map<TaskId, Set<CountDownLatch>> awaited = new ConcurrentHashMap<>();

  private final AtomicLong answers = new AtomicLong();

  /** Those that their own session has read. */
  private final Map<TaskId, Boolean> marked =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, Boolean> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  private @Nullable Thread worker;

  private sealed interface Waiting {}

  private record Mark(TaskId taskId, Reader reader) implements Waiting {}

  /** Tells that all before it are recorded. */
  private record Settled(CountDownLatch reached) implements Waiting {}

  public ReadMarks(Engine engine, Journal journal, InstantSource clock) {
    this(engine, journal, clock, GATHER);
  }

  ReadMarks(Engine engine, Journal journal, InstantSource clock, Duration gather) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
    this.gather = gather;
  }

  public void start() {
    worker = Thread.ofVirtual().name("read-marks").start(this::run);
  }

  @Override
  public void read(TaskId taskId, Reader reader) {
    // Refused when full, and that is fine: see above.
    var _ = waiting.offer(new Mark(taskId, reader));
  }

  @Override
  public Awaited awaited(TaskId taskId) {
    var answered = new CountDownLatch(1);
    awaited.compute(taskId, (_, others) -> with(others, answered));
    return () -> {
      answers.incrementAndGet();
      awaited.computeIfPresent(taskId, (_, all) -> without(all, answered));
      answered.countDown();
    };
  }

  private static Set<CountDownLatch> with(
      @Nullable Set<CountDownLatch> others, CountDownLatch answered) {
    var all = others == null ? ConcurrentHashMap.<CountDownLatch>newKeySet() : others;
    all.add(answered);
    return all;
  }

  private static @Nullable Set<CountDownLatch> without(
      Set<CountDownLatch> all, CountDownLatch answered) {
    all.remove(answered);
    return all.isEmpty() ? null : all;
  }

  @Override
  public void settle(Set<TaskId> ended) throws InterruptedException {
    var until = System.nanoTime() + SETTLE_MAX.toNanos();
    for (var taskId : ended) {
      for (var answered : awaited.getOrDefault(taskId, Set.of())) {
        var _ = answered.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    }
  }

  @Override
  public long answered() {
    return answers.get();
  }

  @Override
  public void settle() throws InterruptedException {
    var settled = new Settled(new CountDownLatch(1));
    if (worker != null && waiting.offer(settled)) {
      hurry.release();
      var _ = settled.reached().await(SETTLE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run() {
    var taken = new ArrayList<Waiting>();
    try {
      while (true) {
        taken.add(waiting.take());
        if (waiting.size() < MARKS_AT_ONCE) {
          var _ = hurry.tryAcquire(gather.toMillis(), TimeUnit.MILLISECONDS);
        }
        hurry.drainPermits();
        waiting.drainTo(taken, MARKS_AT_ONCE - 1);
        settle(taken);
      }
    } catch (InterruptedException _) {
      // Closed: what waits is still marked.
      waiting.drainTo(taken);
      settle(taken);
    }
  }

  private void settle(List<Waiting> taken) {
    mark(taken.stream().filter(Mark.class::isInstance).map(Mark.class::cast).toList());
    taken.stream()
        .filter(Settled.class::isInstance)
        .forEach(it -> ((Settled) it).reached().countDown());
    taken.clear();
  }

  /**
   * One commit for each session: results are often read as soon as they are there, many at once.
   */
  private void mark(List<Mark> marks) {
    var ofSession = new LinkedHashMap<SessionId, Map<TaskId, Unread>>();
    for (var mark : marks) {
      unread(mark)
          .ifPresent(it ->
              ofSession
                  .computeIfAbsent(it.sessionId(), _ -> new LinkedHashMap<>())
                  .merge(mark.taskId(), it, Unread::and));
    }
    ofSession.forEach((_, unread) -> recordAll(List.copyOf(unread.values())));
  }

  /** A task that was removed meanwhile refuses the commit, and must not take others with it. */
  private void recordAll(List<Unread> unread) {
    if (!recorded(unread)) {
      unread.forEach(it -> unread(it.mark()).ifPresent(again -> recorded(List.of(again))));
    }
  }

  private boolean recorded(List<Unread> unread) {
    try {
      record(unread.getFirst().sessionId(), unread);
      return true;
    } catch (RuntimeException e) {
      // What is not marked now is marked when it is read again.
      log.debug("{} tasks are not marked as read", unread.size(), e);
      return false;
    }
  }

  /**
   * A result that nobody has read, or not its session.
   *
   * @param row absent where the task was removed after its session had read it, and there is only
   *     the notice left to acknowledge
   */
  private record Unread(SessionId sessionId, @Nullable TaskRow row, Mark mark) {
    boolean first() {
      return row != null && row.lifetime().readAtMs() == 0;
    }

    boolean own() {
      return sessionId.equals(mark.reader().session());
    }

    /** Read by two at once. */
    Unread and(Unread other) {
      return own() ? this : other;
    }
  }

  private Optional<Unread> unread(Mark mark) {
    if (marked.containsKey(mark.taskId())) {
      return Optional.empty();
    }
    try {
      // Not the journal's: a damaged row must not be written back as if it were whole.
      var row = engine.row(mark.taskId()).orElse(null);
      var sessionId = row == null ? mark.reader().session() : row.sessionId();
      var unread = new Unread(sessionId, row, mark);
      var over = row == null || !row.active();
      return over && (unread.first() || unread.own()) ? Optional.of(unread) : Optional.empty();
    } catch (RuntimeException e) {
      log.debug("task {} is not marked as read", mark.taskId(), e);
      return Optional.empty();
    }
  }

  private void record(SessionId sessionId, List<Unread> unread) {
    var at = clock.millis();
    List<SessionEvent> events = new ArrayList<>();
    List<InboxChange> changes = new ArrayList<>();
    for (var it : unread) {
      var taskId = it.mark().taskId();
      var by = it.mark().reader().by();
      var ids = it.own() ? journal.unacknowledged(sessionId, taskId) : List.<String>of();
      if (it.first()) {
        events.add(new SessionEvent.ResultRead(taskId, by));
      } else if (!ids.isEmpty()) {
        events.add(new SessionEvent.NoticesAcknowledged(ids, by));
      }
      if (!ids.isEmpty()) {
        changes.add(new InboxChange.Acknowledged(sessionId, ids, at));
      }
    }
    engine.record(sessionId, events, batch -> put(batch, unread, changes, at));
    unread.stream().filter(Unread::own).forEach(it -> marked.put(it.mark().taskId(), true));
  }

  private static void put(
      Batch.Builder batch, List<Unread> unread, List<InboxChange> changes, long atMs) {
    batch.lazily();
    for (var it : unread) {
      var row = it.row();
      if (row != null && it.first()) {
        batch.row(row.readAt(atMs));
      }
    }
    changes.forEach(batch::inbox);
  }

  @Override
  public void close() {
    var open = worker;
    if (open == null) {
      return;
    }
    open.interrupt();
    try {
      open.join(SETTLE_MAX);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
