package dev.errand.core.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Output that a host has stored and that no frame covers yet, because the task has many frames. It
 * is not part of the task's state: after a restart it is read again from the host's records.
 *
 * @param facts outputs and gaps, merged where they are adjacent
 * @param firstRecord the first of the host's records in it; 0 where it is empty
 * @param shownAtMs when frames of output were last made; 0 where none were since the start
 */
public record PendingOutput(List<HostFact.OfLog> facts, long firstRecord, long shownAtMs) {
  public static final PendingOutput NONE = new PendingOutput(List.of(), 0, 0);

  public PendingOutput {
    facts = List.copyOf(facts);
  }

  /** A part of a log. */
  public record Range(LogStream stream, long from, long to) {}

  public boolean isEmpty() {
    return facts.isEmpty();
  }

  /** What is stored after the frames, in the order in which it began to be written. */
  public List<Range> ranges() {
    var ranges = new ArrayList<Range>(facts.size());
    for (var fact : facts) {
      if (fact instanceof HostFact.Output it) {
        ranges.add(new Range(it.stream(), it.offset(), it.offset() + it.bytes()));
      }
    }
    return ranges;
  }

  /** Where the log ends, if its frames end there. */
  public long end(LogStream stream, long framed) {
    var end = framed;
    for (var range : ranges()) {
      end = range.stream() == stream ? Math.max(end, range.to()) : end;
    }
    return end;
  }

  /** When the host wrote down the newest of it; 0 where it is empty. */
  public long writtenAtMs() {
    var newest = 0L;
    for (var fact : facts) {
      newest = fact instanceof HostFact.Output it ? Math.max(newest, it.atMs()) : newest;
    }
    return newest;
  }

  /**
   * How long it may still wait for its frames; nothing where these are due. A clock that was set
   * back must not make it wait longer.
   */
  public Duration left(TaskFacts facts, long nowMs) {
    var interval = MergeInterval.of(facts.frames(), facts.spec().work().framesMax());
    var left = interval.minus(Duration.ofMillis(Math.abs(nowMs - shownAtMs)));
    return shownAtMs == 0 || left.isNegative() ? Duration.ZERO : left;
  }
}
