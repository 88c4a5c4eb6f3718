package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.task.ResultReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that a result was delivered for the first time. A read by the task's own session also
 * acknowledges the notices about the task; reads by others do not.
 *
 * <p>Marks are gathered for a moment and committed together, one commit for each session, since a
 * client often makes its next request right after a read. Nothing waits for marks: until one is
 * committed, the inbox may deliver a notice again under the same id. A lost mark only causes that
 * and a later removal of the task.
 */
public final class ReadMarks implements ResultReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReadMarks.class);

  /** Limit of queued marks; above it the reader commits its own. */
  private static final int WAITING_MAX = 10_000;

  private static final GatheringQueue.Limits LIMITS =
      new GatheringQueue.Limits(WAITING_MAX, 256, Duration.ofMillis(50));

  /** Limit of cached ids. */
  private static final int REMEMBERED_MAX = 10_000;

  private final Engine engine;
  private final Journal journal;
  private final Time clock;
  private final GatheringQueue<Mark> queue;

  /** Tasks whose own session has read them. */
  private final Map<TaskId, Boolean> marked = Collections.synchronizedMap(new Remembered());

  private @Nullable Thread worker;

  private record Mark(TaskId taskId, Reader reader) {}

  public ReadMarks(Engine engine, Journal journal, Time clock) {
    this(engine, journal, clock, LIMITS);
  }

  ReadMarks(Engine engine, Journal journal, Time clock, GatheringQueue.Limits limits) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
    this.queue = new GatheringQueue<>(limits, clock);
  }

  /** Starts gathering; before that, and after close, readers commit their own marks. */
  public void start() {
    queue.open();
    worker = Thread.ofVirtual().name("read-marks").start(this::run);
  }

  @Override
  public void read(TaskId taskId, Reader reader) {
    if (marked.containsKey(taskId)) {
      return;
    }
    var mark = new Mark(taskId, reader);
    if (!queue.offer(mark)) {
      mark(List.of(mark));
    }
  }

  private void run() {
    try {
      for (var taken = queue.take(); !taken.isEmpty(); taken = queue.take()) {
        mark(taken);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void mark(List<Mark> marks) {
    var ofSession = new LinkedHashMap<SessionId, Map<TaskId, Unread>>();
    for (var mark : marks) {
      unread(mark)
          .ifPresent(it ->
              ofSession
                  .computeIfAbsent(it.sessionId(), _ -> new LinkedHashMap<>())
                  .merge(mark.taskId(), it, Unread::and));
    }
    ofSession.values().forEach(it -> recordAll(it.values()));
  }

  /**
   * A result that was not read, or not by its session.
   *
   * @param row absent if the task was removed after the read, so that only the notice must be
   *     acknowledged
   */
  private record Unread(SessionId sessionId, @Nullable TaskRow row, Mark mark) {
    boolean first() {
      return row != null && row.lifetime().readAtMs() == 0;
    }

    boolean own() {
      return sessionId.equals(mark.reader().session());
    }

    /** If two callers read it at once, the read of its own session counts. */
    Unread and(Unread other) {
      return own() ? this : other;
    }
  }

  private Optional<Unread> unread(Mark mark) {
    try {
      // Not from the journal: a damaged row must not be written back as valid.
      var row = engine.row(mark.taskId()).orElse(null);
      var sessionId = row == null ? mark.reader().session() : row.sessionId();
      var unread = new Unread(sessionId, row, mark);
      var over = row == null || !row.active();
      return over && (unread.first() || unread.own()) ? Optional.of(unread) : Optional.empty();
    } catch (RuntimeException e) {
      log.debug("task {} could not be marked as read", mark.taskId(), e);
      return Optional.empty();
    }
  }

  /**
   * A task that was removed meanwhile refuses the commit, so the marks are committed one by one.
   */
  private void recordAll(Collection<Unread> ofSession) {
    if (tryRecord(ofSession) || ofSession.size() == 1) {
      return;
    }
    ofSession.forEach(it -> unread(it.mark()).ifPresent(again -> tryRecord(List.of(again))));
  }

  private boolean tryRecord(Collection<Unread> ofSession) {
    try {
      record(ofSession);
      return true;
    } catch (RuntimeException e) {
      // It is marked at the next read.
      log.debug("{} tasks could not be marked as read", ofSession.size(), e);
      return false;
    }
  }

  private void record(Collection<Unread> ofSession) {
    var sessionId = ofSession.iterator().next().sessionId();
    var at = clock.millis();
    List<SessionEvent> events = new ArrayList<>();
    List<InboxChange> changes = new ArrayList<>();
    List<TaskRow> rows = new ArrayList<>();
    for (var it : ofSession) {
      var by = it.mark().reader().by();
      var taskId = it.mark().taskId();
      var ids = it.own() ? journal.unacknowledged(sessionId, taskId) : List.<String>of();
      var row = it.row();
      if (row != null && it.first()) {
        events.add(new SessionEvent.ResultRead(taskId, by));
        rows.add(row.readAt(at));
      } else if (!ids.isEmpty()) {
        events.add(new SessionEvent.NoticesAcknowledged(ids, by));
      }
      if (!ids.isEmpty()) {
        changes.add(new InboxChange.Acknowledged(sessionId, ids, at));
      }
    }
    if (!events.isEmpty()) {
      engine.record(sessionId, events, batch -> put(batch, rows, changes));
    }
    ofSession.stream().filter(Unread::own).forEach(it -> marked.put(it.mark().taskId(), true));
  }

  private static void put(Batch.Builder batch, List<TaskRow> rows, List<InboxChange> changes) {
    batch.lazily();
    rows.forEach(batch::row);
    changes.forEach(batch::inbox);
  }

  private static final class Remembered extends LinkedHashMap<TaskId, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<TaskId, Boolean> eldest) {
      return size() > REMEMBERED_MAX;
    }
  }

  /** Returns when all queued marks are committed. */
  @Override
  public void close() {
    queue.close();
    var open = worker;
    if (open == null) {
      return;
    }
    try {
      open.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
