package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.output.LogStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a pattern occurs in one log, searched once from its start as far as it is stored. */
final class TextCheck implements Check {
  private static final int READ_BYTES = 256 * 1024;

  /** A long log is searched for so long at a time, so that all else is looked at too. */
  private static final Duration LOOK_TIME = Duration.ofMillis(200);

  /** So long it must be silent behind a match before that counts as its whole. */
  private static final Duration SETTLE = Duration.ofMillis(100);

  private final TaskId taskId;
  private final LogStream stream;
  private final LogStore logs;
  private final TaskFrames frames;
  private final TextWindow window;
  private TextWindow.@Nullable Match found;
  private boolean searchedWhole;
  private long grownAtNanos;

  TextCheck(TaskId taskId, Pattern pattern, LogStart start, LogStore logs, TaskFrames frames) {
    this.taskId = taskId;
    this.stream = start.stream();
    this.logs = logs;
    this.frames = frames;
    this.window = new TextWindow(pattern, start.offset());
    this.grownAtNanos = System.nanoTime() - SETTLE.toNanos();
    window.restart(start.offset(), before(start.offset()));
  }

  /** A log and the offset in it where the search begins. */
  record LogStart(LogStream stream, long offset) {}

  LogStream stream() {
    return stream;
  }

  long searchedTo() {
    return window.searchedTo();
  }

  @Override
  public Verdict look(Moment moment) {
    var total = moment.total(stream);
    var until = System.nanoTime() + LOOK_TIME.toNanos();
    while (window.end() < total) {
      if (System.nanoTime() >= until) {
        return Verdict.UNFINISHED;
      }
      readOn(total);
      found = window.search(moment.ended() && window.end() >= total);
      grownAtNanos = moment.nanos();
      if (found != null && !found.reachesEnd()) {
        return holds(found, moment);
      }
    }
    return caughtUp(moment);
  }

  private Verdict caughtUp(Moment moment) {
    if (moment.ended() && !searchedWhole) {
      searchedWhole = true;
      found = window.search(true);
    }
    if (found == null) {
      return Verdict.UNTIL_FRAME;
    }
    var left = SETTLE.minusNanos(moment.nanos() - grownAtNanos);
    return moment.ended() || !left.isPositive() ? holds(found, moment) : new Verdict.NotYet(left);
  }

  private Verdict holds(TextWindow.Match match, Moment moment) {
    var lastByte = Math.max(match.offset(), match.end() - 1);
    var seq = frames.seqOf(taskId, stream, lastByte, moment.seq());
    return new Verdict.Holds(
        new Held.Text(seq, stream, match.offset(), match.end(), match.snippet()));
  }

  private void readOn(long total) {
    var at = window.end();
    try {
      var bytes = logs.read(taskId, stream, at, (int) Math.min(READ_BYTES, total - at));
      if (bytes.length == 0) {
        // A crash of the machine took the rest.
        window.restart(total, new byte[0]);
      } else {
        window.append(bytes);
      }
    } catch (ErrandException e) {
      window.restart(behindGap(e), new byte[0]);
    }
  }

  private static long behindGap(ErrandException failure) {
    var next = failure.facts().get("next_offset");
    if (failure.code() != ErrorCode.OUTPUT_DROPPED || next == null) {
      throw failure;
    }
    return next;
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
      behindGap(e);
      return new byte[0];
    }
  }
}
