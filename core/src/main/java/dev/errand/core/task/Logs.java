package dev.errand.core.task;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of each log of a task, in the order of its streams. */
public record Logs(List<Log> list) {

  public Logs {
    list = List.copyOf(list);
  }

  static Logs empty(List<LogStream> streams) {
    return new Logs(streams.stream().map(it -> new Log(it, 0, 0, List.of(), null)).toList());
  }

  /** The log of that stream; fails if the task has no such stream. */
  public Log of(LogStream stream) {
    for (var log : list) {
      if (log.stream() == stream) {
        return log;
      }
    }
    throw new IllegalArgumentException("this task has no stream " + stream.word());
  }

  public boolean has(LogStream stream) {
    return list.stream().anyMatch(it -> it.stream() == stream);
  }

  public long bytesStored() {
    return list.stream().mapToLong(Log::bytesStored).sum();
  }

  Logs with(Log changed) {
    var next = new ArrayList<Log>(list.size());
    for (var log : list) {
      next.add(log.stream() == changed.stream() ? changed : log);
    }
    return new Logs(next);
  }

  /**
   * One log: how many bytes it received, how many are gone, which of these were lost in a crash,
   * and its final form.
   */
  public record Log(
      LogStream stream,
      long bytesTotal,
      long bytesGone,
      List<LogEnd.Extent> lost,
      @Nullable LogEnd end) {

    public Log {
      lost = List.copyOf(lost);
    }

    public long bytesStored() {
      return bytesTotal - bytesGone;
    }

    public boolean truncated() {
      return bytesGone > 0;
    }

    /** Whether it is recorded already that a crash took all of this range. */
    boolean hasLost(long from, long to) {
      return lost.stream().anyMatch(it -> it.from() <= from && to <= it.to());
    }

    Log grownTo(long total) {
      return new Log(stream, Math.max(total, bytesTotal), bytesGone, lost, end);
    }

    Log without(long from, long to) {
      return new Log(stream, bytesTotal, bytesGone + to - from, lost, end);
    }

    Log losing(long from, long to) {
      var ranges = new ArrayList<>(lost);
      ranges.add(new LogEnd.Extent(from, to));
      return new Log(stream, bytesTotal, bytesGone + to - from, ranges, end);
    }

    /** The total never shrinks, even if a crash lost some of the bytes. */
    Log ended(LogEnd last) {
      var total = Math.max(last.bytesTotal(), bytesTotal);
      return new Log(stream, total, total - last.bytesStored(), lost, last);
    }
  }
}
