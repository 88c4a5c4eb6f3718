package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that happened to a task. */
public sealed interface TaskEvent {

  /** Made from host records; {@code record} is the number of the last one it covers. */
  sealed interface FromHost extends TaskEvent {
    long record();
  }

  record Spawned(TaskSpec spec) implements TaskEvent {}

  /** A person let the held task run. */
  record Approved(String by) implements TaskEvent {}

  /** A person refused the held task; the end follows at once. */
  record Denied(String reason, String by) implements TaskEvent {}

  /** The task may start: only this host may start the process of this attempt. */
  record Attempted(int attempt, String hostId) implements TaskEvent {}

  record Started(long record, int attempt, ProcessIdentity process, long startedAtMs)
      implements FromHost {}

  /**
   * A range of a log became readable; the checksum is absent where ranges were merged.
   *
   * @param writtenAtMs when the host wrote it down; 0 where that is not known, as in older logs
   * @param merged whether it was put together from ranges that are together longer than a plain one
   */
  record Output(
      long record,
      LogStream stream,
      long offset,
      long bytes,
      long bytesStored,
      @Nullable Integer crc32c,
      Preview preview,
      long writtenAtMs,
      boolean merged)
      implements FromHost {
    /** What a range of a host covers, but for those of a flood. */
    public static final int PLAIN_BYTES_MAX = 64 << 10;

    public Output(
        long record,
        LogStream stream,
        long offset,
        long bytes,
        long bytesStored,
        @Nullable Integer crc32c,
        Preview preview) {
      this(record, stream, offset, bytes, bytesStored, crc32c, preview, 0);
    }

    public Output(
        long record,
        LogStream stream,
        long offset,
        long bytes,
        long bytesStored,
        @Nullable Integer crc32c,
        Preview preview,
        long writtenAtMs) {
      this(record, stream, offset, bytes, bytesStored, crc32c, preview, writtenAtMs, false);
    }

    /** What was put together says so where it is longer than a plain range. */
    Output marked() {
      return crc32c != null || bytes <= PLAIN_BYTES_MAX
          ? this
          : new Output(
              record, stream, offset, bytes, bytesStored, null, preview, writtenAtMs, true);
    }
  }

  /** From now on output frames are merged, because the task has so many already. */
  record OutputMerged(long record, long frames) implements FromHost {}

  /** The cap took a range out of a log. */
  record OutputGap(long record, LogStream stream, long from, long to) implements FromHost {}

  /** A crash of the machine took recorded bytes out of a log, or the next may: a sync failed. */
  record OutputLost(LogStream stream, long from, long to) implements TaskEvent {}

  record StdinWritten(long record, HostFact.StdinWrite write) implements FromHost {}

  /** With the processes outside the process groups of the task that the signal reached. */
  record Signalled(long record, String opId, String signal, String by, List<Long> outside)
      implements FromHost {
    public Signalled {
      outside = List.copyOf(outside);
    }

    public Signalled(long record, String opId, String signal, String by) {
      this(record, opId, signal, by, List.of());
    }
  }

  /** The terminal has another size; all output before this event was written at the old one. */
  record Resized(long record, String opId, TerminalSize size, String by) implements FromHost {}

  record KillStepped(long record, String step, String cause, List<Long> pids) implements FromHost {
    public KillStepped {
      pids = List.copyOf(pids);
    }
  }

  record LimitPassed(long record, String limit, long value) implements FromHost {}

  record CancelRequested(String reason, String by) implements TaskEvent {}

  /** Where in a log something is. */
  record Match(LogStream stream, long offset, long end) {}

  /**
   * A watcher's condition holds.
   *
   * @param watcher its place among those of the task, from 0
   * @param match where, for one that looks at output
   * @param count how many hits this frame stands for
   * @param hits how many there were so far, these among them
   */
  record WatcherHit(
      int watcher, String event, @Nullable Match match, String snippet, long count, long hits)
      implements TaskEvent {}

  /** A watcher looks no further, because it hit too often or took too long. */
  record WatcherSilenced(int watcher, String event, String reason, long hits)
      implements TaskEvent {}

  /** It does what it was started for, as its caller said this would show. */
  record BecameReady(String snippet, long readyAtMs) implements TaskEvent {}

  /**
   * Its terminal seems to wait for input. Advisory: it has no effect on the task.
   *
   * @param snippet what it asks, as far as it shows
   * @param confidence how sure that is: {@code low}, {@code medium} or {@code high}
   */
  record PromptSeen(String snippet, String confidence, long seenAtMs) implements TaskEvent {}

  /** The attempt came to nothing, and the task waits for its next one. */
  record Requeued(int attempt, String reason, List<Long> killed) implements TaskEvent {
    public Requeued {
      killed = List.copyOf(killed);
    }
  }

  /** A log is complete and can be read as an artifact under its digest. */
  record ArtifactWritten(LogEnd log) implements TaskEvent {}

  /** The cancel that was asked for is done; the end follows at once. */
  record Cancelled(String reason, String by, long wallTimeMs) implements TaskEvent {}

  /** The task is over; nothing follows. */
  record Ended(End end) implements TaskEvent {}

  /** Recorded by a newer version and unknown to this one; never created here. */
  record Unknown(String type) implements TaskEvent {}
}
