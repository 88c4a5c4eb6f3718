package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.OutputRange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the last lines or bytes of a task's output begin. Only frames have the order of the
 * two streams, so it reads frames backwards in growing steps, and as little of the logs as
 * possible.
 */
final class LogTail {
  private static final long FIRST_STEP_FRAMES = 64;
  private static final int STEP_GROWTH = 4;

  /** A frame may have some kilobytes of preview. */
  private static final long STEP_FRAMES_MAX = 4_096;

  /** The size of one read of a log. */
  private static final int BLOCK_BYTES = 256 * 1024;

  private final ErrandClient client;
  private final TaskId taskId;
  private final @Nullable LogStream only;
  private final Map<LogStream, Block> blocks = new EnumMap<>(LogStream.class);

  /** Bytes of a log, from an offset on. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Block(long from, byte[] bytes) {
    boolean hasBefore(long offset) {
      return offset > from && offset <= from + bytes.length;
    }
  }

  /** Goes back over the ranges of a log, the last one first, and says where it has enough. */
  private interface Count {
    /** The offset where the wanted part begins, or -1 if it begins earlier. */
    long begin(OutputRange range);
  }

  private static final long SOONER = -1;

  LogTail(ErrandClient client, TaskId taskId, @Nullable LogStream only) {
    this.client = client;
    this.taskId = taskId;
    this.only = only;
  }

  LogStart bytes(long wanted) {
    return find(
        new Count() {
          private long left = wanted;

          @Override
          public long begin(OutputRange range) {
            if (range.bytes() >= left) {
              return range.end() - left;
            }
            left -= range.bytes();
            return SOONER;
          }
        });
  }

  /** A last line without a line end counts too. */
  LogStart lines(long wanted) {
    if (wanted == 0) {
      return bytes(0);
    }
    return find(
        new Count() {
          private long left = wanted;
          private boolean isLast = true;

          @Override
          public long begin(OutputRange range) {
            for (var to = range.end(); to > range.offset(); ) {
              var block = blockBefore(range, to);
              var first = (int) Math.max(0, range.offset() - block.from());
              for (var i = (int) (to - block.from()) - 1; i >= first; i--) {
                var isEnd = block.bytes()[i] == '\n' && !isLast;
                isLast = false;
                if (isEnd && --left == 0) {
                  return block.from() + i + 1;
                }
              }
              to = block.from() + first;
            }
            return SOONER;
          }
        });
  }

  private LogStart find(Count count) {
    var last = client.status(taskId).lastSeq();
    var upTo = last;
    var step = FIRST_STEP_FRAMES;
    while (upTo >= 0) {
      var after = Math.max(-1, upTo - step);
      for (var range : ranges(after, upTo).reversed()) {
        var begin = count.begin(range);
        if (begin != SOONER) {
          return new LogStart(range.seq() - 1, last, range.stream(), begin);
        }
      }
      upTo = after;
      step = Math.min(step * STEP_GROWTH, STEP_FRAMES_MAX);
    }
    return LogStart.behind(-1, last);
  }

  private List<OutputRange> ranges(long afterSeq, long upToSeq) {
    var ranges = new ArrayList<OutputRange>();
    try (var frames = client.history(taskId, afterSeq)) {
      for (var frame = frames.next();
          frame != null && frame.seq() <= upToSeq;
          frame = frames.next()) {
        var range = OutputRange.of(frame);
        if (range != null && (only == null || only == range.stream())) {
          ranges.add(range);
        }
      }
    }
    return ranges;
  }

  /** The bytes before an offset within a range, or a larger part of the log around them. */
  private Block blockBefore(OutputRange range, long offset) {
    var exact = range.exact();
    if (exact != null) {
      return new Block(range.offset(), exact);
    }
    var known = blocks.get(range.stream());
    if (known == null || !known.hasBefore(offset)) {
      known = read(range.stream(), Math.max(0, offset - BLOCK_BYTES), offset);
      blocks.put(range.stream(), known);
    }
    return known;
  }

  /** Dropped bytes stay zero, which is no line end. */
  private Block read(LogStream stream, long from, long to) {
    var bytes = new byte[(int) (to - from)];
    client.output(
        taskId,
        stream,
        from,
        to,
        (_, offset, part) -> System.arraycopy(part, 0, bytes, (int) (offset - from), part.length));
    return new Block(from, bytes);
  }
}
