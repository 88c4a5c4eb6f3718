package dev.errand.host.process;

import dev.errand.core.task.LogStream;
import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.Errno;
import dev.errand.host.linux.Poller;
import dev.errand.host.log.LogDigest;
import dev.errand.host.log.LogWriter;
import dev.errand.host.log.OpenLogs;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.Stamp;
import dev.errand.host.redact.Redactor;
import dev.errand.wire.fault.Failpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Copies one output stream of a child from the pipe or terminal into the log and the records.
 *
 * <p>The first bytes after a pause are recorded at once; while more keep coming a record is delayed
 * a little. Belongs to its loop's thread.
 */
final class OutputPump {
  private static final long RECORD_PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  /** Two streams make at most four records a second together. */
  private static final long TAIL_RECORD_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  private static final long HELD_NANOS_MAX = Duration.ofMillis(100).toNanos();
  private static final Duration QUIET = Duration.ofSeconds(1);

  /** How soon, and how seldom, a terminal that no process has open is checked again. */
  private static final Duration LOOK_PAUSE_MIN = Duration.ofMillis(10);

  private static final Duration LOOK_PAUSE_MAX = Duration.ofMillis(640);

  private static final Duration BEHIND_PAUSE = Duration.ofMillis(200);

  /**
   * A terminal gives a few kilobytes at a time; reads repeat while they bring at least this much.
   */
  private static final int SHORT_READ_BYTES = 1024;

  private final IoLoop loop;
  private final LogStream stream;
  private final LogWriter log;
  private final LogDigest digest;
  private final Recorder recorder;
  private final AtomicLong discarded;
  private final OpenLogs openLogs;
  private final @Nullable Redactor redactor;
  private final OutputTally tally;
  private final int fd;
  private final long start;
  private Runnable whenReadable = () -> {};
  private Duration lookPause = LOOK_PAUSE_MIN;
  private boolean hangUpEnds;
  private boolean ended;
  private boolean discarding;
  private final FloodDetector flood = new FloodDetector();
  private long lastRecordNanos;
  private long lastToldNanos;
  private boolean untold;
  private long lastGapNanos;
  private long gapFrom;
  private long gapTo;
  private long lastReadNanos;
  private long heldFrom = -1;
  private long heldSinceNanos;
  private Timers.@Nullable Timer recordTimer;
  private boolean closeTimerSet;
  private Timers.@Nullable Timer releaseTimer;

  OutputPump(IoLoop loop, int fd, LogStream stream, LogWriter log, Outlet outlet) {
    this.loop = loop;
    this.fd = fd;
    this.stream = stream;
    this.log = log;
    this.digest = new LogDigest(log, stream);
    this.recorder = outlet.recorder();
    this.discarded = outlet.discarded();
    this.openLogs = outlet.openLogs();
    this.redactor = outlet.redactor();
    this.start = log.end();
    this.lastRecordNanos = loop.now() - TAIL_RECORD_PAUSE_NANOS;
    this.lastToldNanos = lastRecordNanos;
    this.lastGapNanos = lastRecordNanos;
    this.tally = new OutputTally(start, log.headEnd(), this::record);
  }

  /**
   * Where the pump reports to: the attempt's records, and the host's counts over all pumps.
   *
   * @param redactor removes secrets before anything is stored; null if there are none
   */
  record Outlet(
      Recorder recorder, AtomicLong discarded, OpenLogs openLogs, @Nullable Redactor redactor) {}

  /** Reports whenever there is something to {@link #read}. */
  void watch(Runnable then) {
    whenReadable = then;
    loop.watch(fd, Poller.READABLE, then);
  }

  LogDigest digest() {
    return digest;
  }

  boolean ended() {
    return ended;
  }

  /** All that the process wrote so far. */
  long bytesTotal() {
    return log.end() - start;
  }

  /** Reads once, up to the size of the buffer; 0 if there was nothing. */
  int read() {
    if (ended || heldBack()) {
      return 0;
    }
    var count = fill();
    if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
      return 0;
    }
    if (count == -Errno.EIO && isTerminal() && !hangUpEnds) {
      awaitReopening();
      return 0;
    }
    if (count <= 0) {
      close();
      return 0;
    }
    pace(count);
    if (discarding) {
      discarded.addAndGet(count);
    } else if (redactor == null) {
      store(loop.bytes(count));
    } else {
      storeRedacted(redactor, loop.bytes(count));
    }
    return count;
  }

  /**
   * While records cannot be written the output stays in the pipe, and the process blocks once that
   * is full. The output of a dead process is read.
   */
  boolean heldBack() {
    if (hangUpEnds || discarding || !recorder.isBehind()) {
      return false;
    }
    if (loop.isWatched(fd)) {
      loop.unwatch(fd);
      loop.after(BEHIND_PAUSE, this::lookAgain);
    }
    return true;
  }

  private boolean isTerminal() {
    return stream == LogStream.PTY;
  }

  private int fill() {
    var count = (int) Descriptors.read(fd, loop.memory());
    if (!isTerminal()) {
      return count;
    }
    var total = Math.max(0, count);
    while (count >= SHORT_READ_BYTES && total < IoLoop.BUFFER_BYTES) {
      count = (int) Descriptors.read(fd, loop.memory().asSlice(total));
      total += Math.max(0, count);
    }
    return total > 0 ? total : count;
  }

  /**
   * While the leader lives a process may open the terminal again. Until then it is always ready,
   * with nothing to read, so it must not be watched.
   */
  private void awaitReopening() {
    loop.unwatch(fd);
    loop.after(lookPause, this::lookAgain);
    var next = lookPause.multipliedBy(2);
    lookPause = next.compareTo(LOOK_PAUSE_MAX) > 0 ? LOOK_PAUSE_MAX : next;
  }

  private void lookAgain() {
    if (!ended && !loop.isWatched(fd)) {
      loop.watch(fd, Poller.READABLE, whenReadable);
    }
  }

  /** The leader is gone: from now on a terminal that no process has open is at its end. */
  void leaderExited() {
    hangUpEnds = true;
  }

  /**
   * Records all that was read, and returns the number of the last stored byte. The next output
   * answers an operation that a caller waits for, so it is recorded without a delay.
   */
  long settle() {
    if (!discarding) {
      tally.cutAll();
    }
    lastRecordNanos = loop.now() - RECORD_PAUSE_NANOS;
    return tally.recorded();
  }

  /** What may be the start of a secret waits for the next bytes, for a limited time. */
  private void storeRedacted(Redactor redactor, ByteBuffer bytes) {
    var piece = new byte[bytes.remaining()];
    bytes.get(piece);
    var clear = redactor.push(piece, piece.length);
    if (clear.length > 0) {
      store(ByteBuffer.wrap(clear));
    }
    var timer = releaseTimer;
    // The running timer is for bytes of an earlier read; once those are recorded it starts again.
    if (timer != null && !redactor.isHoldingFromBefore(piece.length)) {
      loop.cancel(timer);
      releaseTimer = null;
    }
    if (redactor.isHolding() && releaseTimer == null) {
      releaseTimer = loop.at(loop.now() + HELD_NANOS_MAX, this::release);
    }
  }

  private void release() {
    releaseTimer = null;
    if (redactor != null && redactor.isHolding() && !discarding) {
      store(ByteBuffer.wrap(redactor.release()));
    }
  }

  /**
   * A writer that is woken, or preempted, for each few kilobytes is slowed down. So a stream in
   * flood gets a larger pipe, and time to fill it between two reads.
   */
  private void pace(int count) {
    lookPause = LOOK_PAUSE_MIN;
    if (isTerminal()) {
      return;
    }
    var was = flood.isFlooding();
    flood.came(count, loop.now());
    tally.flood(flood.isFlooding());
    if (flood.isFlooding() && !was) {
      Descriptors.enlargePipe(fd, FloodDetector.PIPE_BYTES);
    }
    if (flood.isFlooding() && count < IoLoop.BUFFER_BYTES) {
      loop.rest(FloodDetector.REST_NANOS);
    }
  }

  private void store(ByteBuffer bytes) {
    lastReadNanos = loop.now();
    var from = log.end();
    try {
      Failpoint.HOST_LOG.passOrFail();
      log.append(bytes);
      tally.add(bytes.rewind());
    } catch (IOException e) {
      System.err.println("host: output is lost, the log cannot be written: " + e);
      lose(bytes, from);
    }
    dropTail();
    closeLog();
    recordWhenDue();
  }

  /** What the log could not store is lost: the gap says so. */
  private void lose(ByteBuffer bytes, long from) {
    var stored = (int) (log.end() - from);
    var to = from + bytes.limit();
    tally.add(bytes.slice(0, stored));
    log.skip(to - log.end());
    tally.skipTo(to);
    missing(from + stored, to);
  }

  private void dropTail() {
    for (var oldest = log.overfull(); oldest.isPresent(); oldest = log.overfull()) {
      var segment = oldest.get();
      missing(segment.from(), segment.to());
      try {
        log.drop(segment);
      } catch (IOException e) {
        System.err.println("host: a dropped part of a log stays on disk: " + e);
      }
    }
  }

  /** A flood drops much in little time: one missing range is reported by few records. */
  private void missing(long from, long to) {
    if (gapTo != from) {
      recordGap();
      gapFrom = from;
    }
    gapTo = to;
    var due = lastGapNanos + TAIL_RECORD_PAUSE_NANOS;
    if (due <= loop.now()) {
      recordGap();
    } else {
      wakeAt(due);
    }
  }

  /** The gap that is not recorded yet; all of it is recorded as output first. */
  private void recordGap() {
    if (gapTo <= gapFrom) {
      return;
    }
    if (tally.recorded() < gapTo) {
      tally.cut();
    }
    if (tally.recorded() < gapTo) {
      tally.cutAll();
    }
    var from = gapFrom;
    var to = gapTo;
    gapFrom = to;
    lastGapNanos = loop.now();
    recorder.add(stamp -> new HostRecord.Gap(stamp, stream, from, to));
  }

  private void closeLog() {
    if (openLogs.crowded()) {
      log.close();
    } else {
      closeWhenQuiet();
    }
  }

  private void closeWhenQuiet() {
    if (closeTimerSet) {
      return;
    }
    closeTimerSet = true;
    loop.at(lastReadNanos + QUIET.toNanos(), this::closeIfQuiet);
  }

  private void closeIfQuiet() {
    closeTimerSet = false;
    if (loop.now() - lastReadNanos >= QUIET.toNanos()) {
      log.close();
    } else if (log.isOpen()) {
      closeWhenQuiet();
    }
  }

  private void recordWhenDue() {
    var now = loop.now();
    if (tally.hasWhole()) {
      var due = lastRecordNanos + (tally.pastHead() ? TAIL_RECORD_PAUSE_NANOS : RECORD_PAUSE_NANOS);
      if (due <= now) {
        tally.cut();
      } else {
        wakeAt(due);
      }
    }
    if (tally.hasHeld()) {
      if (heldFrom != tally.heldFrom()) {
        heldFrom = tally.heldFrom();
        heldSinceNanos = now;
      }
      wakeAt(heldSinceNanos + HELD_NANOS_MAX);
    }
  }

  private void wakeAt(long dueNanos) {
    var timer = recordTimer;
    if (timer != null && timer.dueNanos() <= dueNanos) {
      return;
    }
    if (timer != null) {
      loop.cancel(timer);
    }
    recordTimer = loop.at(dueNanos, this::onTimer);
  }

  private void onTimer() {
    recordTimer = null;
    if (tally.hasHeld() && loop.now() - heldSinceNanos >= HELD_NANOS_MAX) {
      tally.cutAll();
    }
    if (loop.now() - lastGapNanos >= TAIL_RECORD_PAUSE_NANOS) {
      recordGap();
    } else if (gapTo > gapFrom) {
      wakeAt(lastGapNanos + TAIL_RECORD_PAUSE_NANOS);
    }
    recordWhenDue();
  }

  private void record(long offset, long bytes, int crc32c) {
    if (gapTo <= offset) {
      recordGap();
    }
    lastRecordNanos = loop.now();
    Function<Stamp, HostRecord> output =
        stamp -> new HostRecord.Output(stamp, stream, offset, bytes, crc32c);
    // In a flood there are very many ranges, and each reported one wakes the daemon; the others are
    // reported at the next regular time.
    untold = flood.isFlooding() && lastRecordNanos - lastToldNanos < RECORD_PAUSE_NANOS;
    if (untold) {
      recorder.addQuietly(output);
    } else {
      recorder.add(output);
      lastToldNanos = lastRecordNanos;
    }
  }

  /** Records the rest and closes the log; later output is read and discarded. */
  void finish() {
    var waiting = releaseTimer;
    if (waiting != null) {
      loop.cancel(waiting);
    }
    release();
    tally.cutAll();
    recordGap();
    if (untold) {
      recorder.tell();
    }
    log.close();
    discarding = true;
    var timer = recordTimer;
    recordTimer = null;
    if (timer != null) {
      loop.cancel(timer);
    }
  }

  /** Closes the pipe. */
  void close() {
    if (ended) {
      return;
    }
    ended = true;
    loop.unwatch(fd);
    Descriptors.close(fd);
  }
}
