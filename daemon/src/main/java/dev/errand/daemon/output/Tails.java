package dev.errand.daemon.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.PendingOutput;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.Utf8;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The end of what a task wrote, as plain text for people and agents: all of its streams together in
 * the order in which they were written, made from the record when it is asked for.
 */
public final class Tails {

  /** What a snippet has at most. */
  public static final int SNIPPET_CHARS = 4_096;

  private static final int PAGE_FRAMES = 128;

  /** After this many frames the search ends, unless all is wanted. */
  private static final int BACK_FRAMES_MAX = 4_096;

  /** Read in addition, since escape sequences are removed and characters take several bytes. */
  private static final int SPARE_BYTES = 4_096;

  private static final int BYTES_PER_CHAR = 3;

  private static final int CUT_LINE_CHARS_MAX = 1_024;

  /** More than any tail is made of. */
  private static final int PENDING_BYTES_MAX = 16 << 20;

  private final Journal journal;
  private final FrameCodec codec;
  private final LogStore logs;
  private final Function<TaskId, Optional<Snapshot>> tasks;

  /** Tasks that are not over are found by {@code tasks}. */
  public Tails(
      Journal journal,
      FrameCodec codec,
      LogStore logs,
      Function<TaskId, Optional<Snapshot>> tasks) {
    this.tasks = tasks;
    this.journal = journal;
    this.codec = codec;
    this.logs = logs;
  }

  /**
   * The end of what a task wrote.
   *
   * @param cut whether it had written more than this
   */
  public record Tail(String text, boolean cut) {}

  /** A part of one log. */
  private record Range(LogStream stream, long offset, int bytes) {
    /** What a tail can be made of: the end of it. */
    static Range of(PendingOutput.Range range) {
      var bytes = (int) Math.min(range.to() - range.from(), PENDING_BYTES_MAX);
      return new Range(range.stream(), range.to() - bytes, bytes);
    }

    Range last(int count) {
      return count >= bytes ? this : new Range(stream, offset + bytes - count, count);
    }
  }

  /**
   * What a tail is made of.
   *
   * @param framesMax how many frames back to search
   * @param pending what is stored after that frame, oldest first
   */
  private record Part(long lastSeq, int framesMax, List<Range> pending) {}

  /** Parts of logs, oldest first, and whether there is more before them. */
  private record Ranges(List<Range> list, boolean cut) {}

  /** The last characters of all that the task wrote so far; empty where it is gone. */
  public String of(TaskId taskId, int charsMax) {
    var pending = new ArrayList<Range>();
    var live = tasks.apply(taskId).orElse(null);
    if (live != null) {
      live.pending().ranges().forEach(it -> pending.add(Range.of(it)));
    }
    var lastSeq = live == null ? journal.lastSeq(StreamKey.of(taskId)) : live.lastSeq();
    return at(taskId, new Part(lastSeq, BACK_FRAMES_MAX, pending), charsMax).text();
  }

  /** The same as it was after that frame. */
  public Tail at(TaskId taskId, long lastSeq, int charsMax) {
    return at(taskId, new Part(lastSeq, BACK_FRAMES_MAX, List.of()), charsMax);
  }

  /**
   * The same, searched further back: a frame of output has at least a byte, so a result that was
   * written byte by byte is found as far as there is room for it.
   */
  public Tail wholeAt(TaskId taskId, long lastSeq, int charsMax) {
    return at(taskId, new Part(lastSeq, charsMax + BACK_FRAMES_MAX, List.of()), charsMax);
  }

  private Tail at(TaskId taskId, Part part, int charsMax) {
    var bytesWanted = BYTES_PER_CHAR * charsMax + SPARE_BYTES;
    return text(taskId, ranges(taskId, part, bytesWanted), charsMax);
  }

  /** The last characters of one stream. */
  public String of(TaskId taskId, LogStream stream, int charsMax) {
    var end = logs.total(taskId, stream);
    var bytes = (int) Math.min(end, BYTES_PER_CHAR * charsMax + SPARE_BYTES);
    var range = new Range(stream, end - bytes, bytes);
    return text(taskId, new Ranges(List.of(range), end > bytes), charsMax).text();
  }

  /** The newest ranges with this many bytes together. */
  private Ranges ranges(TaskId taskId, Part part, int bytesWanted) {
    var newestFirst = new ArrayList<Range>();
    var missing = bytesWanted;
    for (var pending : part.pending().reversed()) {
      if (missing > 0) {
        newestFirst.add(pending.last(missing));
        missing -= newestFirst.getLast().bytes();
      }
    }
    var to = part.lastSeq();
    while (to >= 0 && missing > 0 && part.lastSeq() - to < part.framesMax()) {
      var from = Math.max(-1, to - PAGE_FRAMES);
      for (var frame : journal.read(StreamKey.of(taskId), from, (int) (to - from)).reversed()) {
        if (missing > 0 && codec.decodeTask(frame).event() instanceof TaskEvent.Output it) {
          var bytes = (int) Math.min(missing, it.bytes());
          newestFirst.add(new Range(it.stream(), it.offset() + it.bytes() - bytes, bytes));
          missing -= bytes;
        }
      }
      to = from;
    }
    var ranges = newestFirst.reversed();
    var all = to < 0 && missing > 0;
    return new Ranges(ranges, !all && beginsLater(taskId, ranges));
  }

  /** Whether a stream has bytes before these ranges. */
  private boolean beginsLater(TaskId taskId, List<Range> ranges) {
    for (var stream : LogStream.values()) {
      var first = ranges.stream().filter(it -> it.stream() == stream).findFirst();
      if (first.map(Range::offset).orElseGet(() -> logs.total(taskId, stream)) > 0) {
        return true;
      }
    }
    return false;
  }

  private Tail text(TaskId taskId, Ranges parts, int charsMax) {
    var ranges = parts.list();
    var lost = false;
    var raw = new StringBuilder();
    Map<LogStream, byte[]> rests = new EnumMap<>(LogStream.class);
    for (var range : ranges) {
      var rest = rests.get(range.stream());
      var read = read(taskId, range);
      lost = lost || read.length < range.bytes();
      var bytes = joined(rest == null ? new byte[0] : rest, read);
      // What begins a stream here may be the end of a character, and what ends it the beginning.
      var begin = rest == null && range.offset() > 0 ? Utf8.restBytes(bytes) : 0;
      var whole = Math.max(begin, bytes.length - Utf8.splitBytes(bytes, bytes.length));
      raw.append(new String(bytes, begin, whole - begin, UTF_8));
      rests.put(range.stream(), Arrays.copyOfRange(bytes, whole, bytes.length));
    }
    var cut = !ranges.isEmpty() && ranges.getFirst().offset() > 0;
    var plain = PlainText.of(cut ? fromLineStart(raw) : raw.toString());
    return new Tail(
        PlainText.tail(plain, charsMax), parts.cut() || lost || plain.length() > charsMax);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** A line that is cut may begin inside an escape sequence, so it goes where others follow. */
  private static String fromLineStart(StringBuilder raw) {
    var lineEnd = raw.indexOf("\n");
    return lineEnd >= 0 && lineEnd < CUT_LINE_CHARS_MAX
        ? raw.substring(lineEnd + 1)
        : raw.toString();
  }

  private byte[] read(TaskId taskId, Range range) {
    return StoredBytes.read(
        logs, taskId, range.stream(), range.offset(), range.offset() + range.bytes());
  }
}
