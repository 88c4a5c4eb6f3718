package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.wire.fault.Failpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one host's records into the journal, in their order, many in one commit. Records that the
 * journal already has are recognised by their number, so reading from the start again is harmless.
 */
final class RecordPump implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecordPump.class);

  /**
   * Records in one commit; later ones go into the next. Each may become a frame with 8 KiB of
   * output, six times as long where that is zeros, and all of them are in memory at once.
   */
  private static final int RECORDS_MAX = 128;

  /** A hint can be lost with the connection; then the records are found by this. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

  /** How long an end waits for disk space for the artifacts of its logs. */
  private static final Duration ROOM_MAX = Duration.ofSeconds(10);

  /** Most input is echoed, and one commit for both is faster than two. */
  private static final Duration ECHO_WAIT = Duration.ofMillis(1);

  private final Engine engine;
  private final RecordReader reader;
  private final Facts facts;
  private final TaskLogs taskLogs;
  private final Duration roomMax;
  private final StoredOutputListener storedOutput;
  private final PendingExits exits;
  private final UnsettledClaims unsettled;
  private final UncommittedOutput uncommitted;
  private final Time clock;
  private final Signal hints = new Signal();
  private final ReentrantLock reading = new ReentrantLock();
  private final AtomicLong failures = new AtomicLong();
  private long batchSegment;
  private volatile boolean closed;

  RecordPump(
      Engine engine,
      RecordReader reader,
      TaskLogs taskLogs,
      StoredOutputListener storedOutput,
      FinalScan finalScan,
      Times times) {
    this.roomMax = times.roomMax();
    this.clock = times.clock();
    this.uncommitted = new UncommittedOutput(engine, clock);
    this.engine = engine;
    this.reader = reader;
    this.facts = new Facts(taskLogs);
    this.taskLogs = taskLogs;
    this.storedOutput = storedOutput;
    this.exits = new PendingExits(finalScan, this::commitEnd, this::skip);
    this.unsettled = new UnsettledClaims(engine);
  }

  /** How long an end waits for disk space, and the clock of the engine. */
  record Times(Duration roomMax, Time clock) {
    static Times by(Time clock) {
      return new Times(ROOM_MAX, clock);
    }
  }

  /** The record file has grown; may be called from any thread, any number of times. */
  void hint() {
    hints.raise();
  }

  /** Reads until closed; the caller gets the number of the segment that is reached. */
  void run(SegmentListener reached) throws InterruptedException {
    var segment = -1L;
    while (!closed) {
      try {
        var pause = showDue();
        if (!pumpOnce()) {
          var _ = clock.await(hints, pause);
        }
        var complete = complete();
        if (complete != segment) {
          segment = complete;
          reached.reached(segment);
        }
      } catch (IOException e) {
        log.warn("cannot read the host's records; trying again", e);
        clock.sleep(RETRY_PAUSE);
      } catch (RuntimeException | Error bug) {
        // All tasks of the host would hang if this thread ended.
        skip("a bug: some of the host's records cannot be recorded", bug);
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  /**
   * Commits frames of output that waited for long enough; returns the time until the next are due.
   */
  private Duration showDue() throws InterruptedException {
    reading.lockInterruptibly();
    try {
      var due = uncommitted.due();
      if (!due.isEmpty()) {
        commit(due);
        uncommitted.note(due.stream().map(Engine.Submission::taskId).toList(), reader.segment());
      }
      return uncommitted.nextDue(LOOK_AGAIN);
    } finally {
      reading.unlock();
    }
  }

  /** Skipped records count as damage: tasks whose end was among them are found later. */
  private void skip(String what, Throwable bug) {
    if (closed) {
      return;
    }
    log.error("{}; it is skipped", what, bug);
    failures.incrementAndGet();
    reading.lock();
    try {
      unsettled.add(batchSegment);
    } finally {
      reading.unlock();
    }
  }

  /** How many times records could not be committed, because of a bug. */
  long failures() {
    return failures.get();
  }

  /** Records must stay on disk until the journal has them. */
  private long complete() {
    reading.lock();
    try {
      var unread = uncommitted.firstSegment(reader.segment());
      return unsettled.firstSegment(facts.firstSegment(exits.firstSegment(unread)));
    } finally {
      reading.unlock();
    }
  }

  /** All segments before this one are in the journal. */
  interface SegmentListener {
    void reached(long segment);
  }

  /** Reads everything that a dead host left; false if some of it is damaged. */
  boolean drain() throws IOException, InterruptedException {
    finished();
    while (!closed && pumpOnce()) {
      // Each turn makes one commit.
    }
    exits.await();
    return !isDamaged();
  }

  private void finished() {
    reading.lock();
    try {
      reader.finished();
    } finally {
      reading.unlock();
    }
  }

  /** Whether some records could not be read or committed, and were skipped. */
  boolean isDamaged() {
    reading.lock();
    try {
      return reader.isDamaged() || failures.get() > 0;
    } finally {
      reading.unlock();
    }
  }

  boolean isIntended(AttemptId attempt) {
    reading.lock();
    try {
      return facts.isIntended(attempt);
    } finally {
      reading.unlock();
    }
  }

  long tagOf(AttemptId attempt) {
    reading.lock();
    try {
      return facts.tagOf(attempt);
    } finally {
      reading.unlock();
    }
  }

  private boolean pumpOnce() throws IOException, InterruptedException {
    reading.lockInterruptibly();
    try {
      var segment = reader.segment();
      batchSegment = segment;
      var damages = reader.damages();
      var records = new ArrayList<>(reader.next(RECORDS_MAX));
      if (records.isEmpty()) {
        return false;
      }
      if (records.stream().allMatch(HostRecord.Stdin.class::isInstance)) {
        var _ = clock.await(hints, ECHO_WAIT);
        records.addAll(more());
      }
      if (reader.damages() > damages) {
        unsettled.add(segment);
      }
      Failpoint.DAEMON_READ.pass();
      var waiting = new LinkedHashMap<TaskId, HostFact.Exited>();
      var reports = byTask(records, segment, waiting);
      commit(reports);
      uncommitted.note(reports.stream().map(Engine.Submission::taskId).toList(), segment);
      waiting.forEach((taskId, end) -> exits.add(taskId, end, segment));
      Failpoint.DAEMON_RECORDED.pass();
      return true;
    } finally {
      reading.unlock();
    }
  }

  /** A failure here happens again at the next read, when nothing is lost with it. */
  private List<HostRecord> more() {
    try {
      return reader.next(RECORDS_MAX);
    } catch (IOException e) {
      log.debug("the host's records are read again", e);
      return List.of();
    }
  }

  /** Ends that have to wait go to {@code waiting}; all facts before them are committed now. */
  private List<Engine.Submission> byTask(
      List<HostRecord> records, long segment, Map<TaskId, HostFact.Exited> waiting)
      throws InterruptedException {
    Map<TaskId, List<HostFact>> byTask = new LinkedHashMap<>();
    for (var record : records) {
      fact(record, segment)
          .ifPresent(
              fact -> byTask.computeIfAbsent(record.taskId(), _ -> new ArrayList<>()).add(fact));
    }
    var submissions = new ArrayList<Engine.Submission>(byTask.size());
    byTask.forEach((taskId, list) -> {
      announceStored(taskId, list);
      keepOrPostpone(taskId, list, waiting);
      submissions.add(new Engine.Submission(taskId, new TaskCommand.Report(list)));
    });
    return submissions;
  }

  private Optional<HostFact> fact(HostRecord record, long segment) throws InterruptedException {
    try {
      return retrying(() -> facts.of(record, segment));
    } catch (RuntimeException | Error bug) {
      skip("a bug: a record of task " + record.taskId() + " cannot be read", bug);
      return Optional.empty();
    }
  }

  /**
   * Makes artifacts of the logs of a task that ended. If the output has to be scanned first, or the
   * logs have to be read, the end is moved to {@code waiting}. A task that is over or removed needs
   * neither.
   */
  private void keepOrPostpone(
      TaskId taskId, List<HostFact> facts, Map<TaskId, HostFact.Exited> waiting) {
    if (!(facts.getLast() instanceof HostFact.Exited end) || !engine.isLive(taskId)) {
      return;
    }
    if (!exits.mustWait(taskId)) {
      var kept = taskLogs.tryKeepAtOnce(taskId, end);
      if (kept) {
        return;
      }
    }
    waiting.put(taskId, end);
    facts.removeLast();
  }

  /** Bytes after a change of size wait until that is committed. */
  private void announceStored(TaskId taskId, List<HostFact> list) {
    for (var fact : list) {
      if (fact instanceof HostFact.Resized) {
        return;
      }
      if (fact instanceof HostFact.Output it && it.stream() == LogStream.PTY) {
        announceStored(taskId, it.offset() + it.bytes());
      }
    }
  }

  /** Only a hint: without it the bytes are shown with their frame. */
  private void announceStored(TaskId taskId, long bytes) {
    try {
      storedOutput.stored(taskId, bytes);
    } catch (RuntimeException | Error bug) {
      log.error("a bug: stored output of task {} was not announced", taskId, bug);
    }
  }

  private void commitEnd(TaskId taskId, HostFact.Exited end) throws InterruptedException {
    var kept = keep(taskId, end);
    commit(List.of(new Engine.Submission(taskId, new TaskCommand.Report(List.of(kept)))));
    hint();
  }

  /** On a disk that stays full a task still ends, without the artifacts that do not fit. */
  private HostFact.Exited keep(TaskId taskId, HostFact.Exited end) throws InterruptedException {
    var deadline = clock.ticks() + roomMax.toNanos();
    while (true) {
      try {
        return taskLogs.keep(taskId, end);
      } catch (ErrandException e) {
        if (closed || !e.code().retryable()) {
          throw e;
        }
        if (clock.ticks() > deadline) {
          log.warn("the logs of task {} are not kept as artifacts: {}", taskId, e.getMessage());
          return taskLogs.keepWhereAtOnce(taskId, end);
        }
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  /** Waits while the disk is full or too many files are open: the host keeps its records. */
  private <T> T retrying(Supplier<T> work) throws InterruptedException {
    while (true) {
      try {
        return work.get();
      } catch (ErrandException e) {
        if (closed || !e.code().retryable()) {
          throw e;
        }
        log.warn("records of the host cannot be committed yet, trying again: {}", e.getMessage());
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  /** Waits while the disk is full: the host keeps its records until they are committed. */
  private void commit(List<Engine.Submission> submissions) throws InterruptedException {
    while (!closed) {
      try {
        submit(submissions);
        return;
      } catch (ErrandException e) {
        if (e.code() != ErrorCode.INSUFFICIENT_STORAGE) {
          throw e;
        }
        log.warn("no disk space to commit records of the host; trying again");
        clock.sleep(RETRY_PAUSE);
      }
    }
  }

  /** A bug in one task must not keep the records of all others from the journal. */
  private void submit(List<Engine.Submission> submissions) {
    try {
      engine.submitAll(submissions);
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.RECORD_DAMAGED) {
        throw e;
      }
      submitEach(
          submissions,
          it ->
              log.error(
                  "records of a host for task {} are lost: the task's frames in the journal are damaged",
                  it,
                  e));
    } catch (RuntimeException | Error bug) {
      submitEach(submissions, it -> skip("a bug: the records of task " + it + " do not fit", bug));
    }
  }

  private void submitEach(List<Engine.Submission> submissions, Consumer<TaskId> alone) {
    if (submissions.size() == 1) {
      alone.accept(submissions.getFirst().taskId());
      return;
    }
    submissions.forEach(it -> submit(List.of(it)));
  }

  @Override
  public void close() {
    closed = true;
    hints.raise();
    reading.lock();
    try {
      reader.close();
    } catch (IOException e) {
      log.debug("closing the record file", e);
    } finally {
      reading.unlock();
    }
  }
}
