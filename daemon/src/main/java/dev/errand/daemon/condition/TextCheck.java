package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.Utf8;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.output.LogStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a pattern occurs in one log, searched once from its start as far as it is stored. */
final class TextCheck implements Check {
  private static final int READ_BYTES_MAX = 256 * 1024;

  /** A pattern that is slow gets less at a time, but much more than what is searched again. */
  private static final int READ_BYTES_MIN = 16 * 1024;

  /** A long log is searched for this long at a time, so that other conditions are checked too. */
  private static final Duration LOOK_TIME = Duration.ofMillis(200);

  /** A match counts as complete after this time without output. */
  private static final Duration SETTLE = Duration.ofMillis(100);

  private final TaskId taskId;
  private final LogStream stream;
  private final Share share;
  private final LogStore logs;
  private final TaskFrames frames;
  private final TextWindow window;
  private final Time clock;
  private TextWindow.@Nullable Match found;
  private boolean searchedWhole;
  private int readBytes = READ_BYTES_MAX;
  private long grownAtNanos;

  TextCheck(
      Pattern pattern, LogStart start, Share share, LogStore logs, TaskFrames frames, Time clock) {
    this.clock = clock;
    this.taskId = start.taskId();
    this.stream = start.stream();
    this.share = share;
    this.logs = logs;
    this.frames = frames;
    this.window = new TextWindow(pattern, start.offset());
    this.grownAtNanos = clock.ticks() - SETTLE.toNanos();
    window.restart(start.offset(), before(start.offset()));
  }

  /** A log and the offset in it where the search begins. */
  record LogStart(TaskId taskId, LogStream stream, long offset) {}

  LogStream stream() {
    return stream;
  }

  long searchedTo() {
    return window.searchedTo();
  }

  @Override
  public CheckResult check(Observation seen) throws InterruptedException {
    var total = seen.total(stream);
    var isNew = window.end() < total;
    if (isNew || (seen.ended() && !searchedWhole)) {
      var enough = clock.ticks() + LOOK_TIME.toNanos();
      share.run(until -> searchOn(seen, until) || clock.ticks() - enough >= 0);
    }
    if (isNew) {
      grownAtNanos = seen.nanos();
    }
    if (found != null && !found.reachesEnd()) {
      return holds(found, seen);
    }
    return window.end() < total ? CheckResult.UNFINISHED : caughtUp(seen);
  }

  /** Searches on; false where the time was over before. */
  private boolean searchOn(Observation seen, long untilNanos) {
    var total = seen.total(stream);
    while (window.end() < total) {
      var began = clock.ticks();
      if (began - untilNanos >= 0) {
        return false;
      }
      readOn(total);
      found = window.search(seen.ended() && window.end() >= total);
      if (found != null && !found.reachesEnd()) {
        return true;
      }
      adapt(clock.ticks() - began);
    }
    if (seen.ended() && !searchedWhole) {
      searchedWhole = true;
      found = window.search(true);
    }
    return true;
  }

  private void adapt(long tookNanos) {
    if (tookNanos > ComputePool.STEP_TIME.toNanos()) {
      readBytes = Math.max(READ_BYTES_MIN, readBytes / 2);
    } else if (tookNanos < ComputePool.STEP_TIME.toNanos() / 4) {
      readBytes = Math.min(READ_BYTES_MAX, readBytes * 2);
    }
  }

  private CheckResult caughtUp(Observation seen) {
    if (found == null) {
      return CheckResult.UNTIL_FRAME;
    }
    var left = SETTLE.minusNanos(seen.nanos() - grownAtNanos);
    return seen.ended() || !left.isPositive() ? holds(found, seen) : new CheckResult.NotYet(left);
  }

  private CheckResult holds(TextWindow.Match match, Observation seen) {
    var lastByte = Math.max(match.offset(), match.end() - 1);
    var seq = frames.seqOf(taskId, stream, lastByte, seen.seq());
    return new CheckResult.Holds(
        new ConditionMet.Text(seq, stream, match.offset(), match.end(), match.snippet()));
  }

  private void readOn(long total) {
    var at = window.end();
    try {
      var bytes = logs.read(taskId, stream, at, (int) Math.min(readBytes, total - at));
      if (bytes.length == 0) {
        // The rest was lost in a crash of the machine.
        window.restart(total, new byte[0]);
      } else {
        window.append(bytes);
      }
    } catch (ErrandException e) {
      window.restart(LogStore.afterDropped(e), new byte[0]);
    }
  }

  /** The character before the offset, so that a pattern knows whether a line begins there. */
  private byte[] before(long offset) {
    var count = (int) Math.min(offset, Utf8.CHARACTER_BYTES_MAX);
    if (count == 0) {
      return new byte[0];
    }
    try {
      var bytes = logs.read(taskId, stream, offset - count, count);
      return bytes.length == count ? bytes : new byte[0];
    } catch (ErrandException e) {
      LogStore.afterDropped(e);
      return new byte[0];
    }
  }
}
