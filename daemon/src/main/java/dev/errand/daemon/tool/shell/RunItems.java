package dev.errand.daemon.tool.shell;

import dev.errand.core.frame.Frame;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.tool.excerpt.JsonCost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Reads a run item by item. A frame makes the same items whenever it is read: its text is the exact
 * output of its range, but for a character that goes on in the next frame and is shown there whole.
 */
final class RunItems {
  private static final int PAGE_FRAMES = 128;

  /** So many frames are looked through at once; the answer then says where to go on. */
  private static final int FRAMES_MAX = 4_096;

  /** What an item takes in JSON beside its text. */
  private static final int ITEM_CHARS = 160;

  /** The longest text of an item; a frame of a flood makes several, all with its number. */
  private static final int ITEM_CHARS_MAX = 65_536;

  /** Of a run that wrote more than it shows, the tail is this part of what it shows. */
  private static final int TAIL_PART = 2;

  private final ShownOutput shown;

  RunItems(ShownOutput shown) {
    this.shown = shown;
  }

  /** Items after {@code since}, and the number to give as that for what follows. */
  record Page(List<RunItem> items, long since, long nextSeq) {}

  /**
   * What is wanted of a run.
   *
   * @param limit at most so many items
   * @param room at most so many characters of JSON, unless one item alone has more
   * @param type only those of this type, where one is given; the bounds count what is returned
   */
  record Wanted(int limit, int room, @Nullable String type) {
    boolean isOf(RunItem item) {
      return type == null || item.type().equals(type);
    }

    /** Of an item that is too long so much is shown of its start and of its end. */
    int endBytes() {
      return Math.max(1, (room - ITEM_CHARS) / 2);
    }
  }

  /** The last items. */
  Page last(Run run, Wanted wanted) {
    var lastSeq = run.frames().lastSeq();
    var cut = shown.cut(run, lastSeq);
    var newest = new ArrayDeque<RunItem>();
    var room = wanted.room();
    var to = lastSeq;
    for (; to >= 0 && lastSeq - to < FRAMES_MAX; to -= PAGE_FRAMES) {
      var from = Math.max(-1, to - PAGE_FRAMES);
      for (var frame : run.frames().read(from, (int) (to - from)).reversed()) {
        var made = made(run, frame, cut, wanted);
        room -= cost(made);
        var tooMany = newest.size() + made.size() > wanted.limit() || room < 0;
        if (!newest.isEmpty() && tooMany) {
          return new Page(List.copyOf(newest), frame.head().seq(), lastSeq);
        }
        made.reversed().forEach(newest::addFirst);
      }
    }
    return new Page(List.copyOf(newest), Math.max(0, to), lastSeq);
  }

  /** Those that follow a number. */
  Page read(Run run, long since, Wanted wanted) {
    var items = new ArrayList<RunItem>();
    var at = since;
    var room = wanted.room();
    while (at - since < FRAMES_MAX) {
      var frames = run.frames().read(at, PAGE_FRAMES);
      if (frames.isEmpty()) {
        return new Page(items, since, at);
      }
      var cut = shown.cut(run, frames.getLast().head().seq());
      for (var frame : frames) {
        var made = made(run, frame, cut, wanted);
        room -= cost(made);
        // Items of one frame are never parted: a reader could not ask for the rest.
        var tooMany = items.size() + made.size() > wanted.limit() || room < 0;
        if (!items.isEmpty() && !made.isEmpty() && tooMany) {
          return new Page(items, since, items.getLast().seq());
        }
        items.addAll(made);
        at = frame.head().seq();
      }
    }
    return new Page(items, since, at);
  }

  private static int cost(List<RunItem> items) {
    return items.stream().mapToInt(it -> ITEM_CHARS + JsonCost.of(it.payload())).sum();
  }

  private List<RunItem> made(
      Run run, Frame.OfTask frame, ShownOutput.@Nullable Cut cut, Wanted wanted) {
    var items = made(run, frame, cut, wanted.endBytes());
    items.removeIf(it -> !wanted.isOf(it));
    return items;
  }

  private List<RunItem> made(
      Run run, Frame.OfTask frame, ShownOutput.@Nullable Cut cut, int endBytes) {
    var items = new ArrayList<RunItem>();
    var seq = frame.head().seq();
    if (frame.event() instanceof TaskEvent.Output it) {
      if (cut == null || seq <= cut.seq()) {
        var bytes = cut != null && seq == cut.seq() ? cut.bytes() : it.bytes();
        output(
            run, frame, new Range(it.stream(), it.offset(), it.offset() + bytes), endBytes, items);
      }
      if (cut != null && seq == cut.seq()) {
        items.add(truncated(run, frame));
      }
    } else if (frame.event() instanceof TaskEvent.ArtifactWritten it) {
      if (cut == null) {
        rest(run, frame, it, items);
      } else {
        tail(run, frame, it, cut).ifPresent(range -> items.add(part(run, frame, range, endBytes)));
      }
    } else {
      RunEvents.item(run, frame.head(), frame.event()).ifPresent(items::add);
    }
    return items;
  }

  private void output(
      Run run, Frame.OfTask frame, Range written, int endBytes, List<RunItem> items) {
    var from = written.from() - torn(run, written.stream(), written.from());
    var to = written.to();
    if (to - from > 2L * endBytes) {
      items.add(ends(run, frame, new Range(written.stream(), from, to), endBytes));
      return;
    }
    var bytes = run.output().read(written.stream(), from, to);
    var length = bytes.length - Utf8.splitBytes(bytes, bytes.length);
    for (var at = 0; at < length; ) {
      var part = part(bytes, at, length);
      var text = new String(bytes, at, part, StandardCharsets.UTF_8);
      items.add(item(frame, written.stream(), text, from + at, part));
      at += part;
    }
  }

  /** The end of a stream of which only the beginning was shown; empty if all of it was. */
  private static Optional<Range> tail(
      Run run, Frame.OfTask frame, TaskEvent.ArtifactWritten written, ShownOutput.Cut cut) {
    var stream = written.log().stream();
    var end = written.log().bytesTotal();
    var from =
        Math.max(cut.shown().getOrDefault(stream, 0L), end - run.shownBytesMax() / TAIL_PART);
    return frame.head().seq() > cut.seq() && from < end
        ? Optional.of(new Range(stream, from, end))
        : Optional.empty();
  }

  /** A range as one item, of which both ends are shown where it is long. */
  private RunItem part(Run run, Frame.OfTask frame, Range range, int endBytes) {
    if (range.to() - range.from() > 2L * endBytes) {
      return ends(run, frame, range, endBytes);
    }
    var bytes = run.output().read(range.stream(), range.from(), range.to());
    var begin = range.from() == 0 ? 0 : Utf8.restBytes(bytes);
    var text = new String(bytes, begin, bytes.length - begin, StandardCharsets.UTF_8);
    return item(frame, range.stream(), text, range.from() + begin, bytes.length - begin);
  }

  /** A part of a log. */
  private record Range(LogStream stream, long from, long to) {}

  /** The start and the end of a long range, and where the rest of it can be read. */
  private RunItem ends(Run run, Frame.OfTask frame, Range range, int endBytes) {
    var restFrom = range.from() + endBytes;
    var head = run.output().read(range.stream(), range.from(), restFrom);
    var headBytes = head.length - Utf8.splitBytes(head, head.length);
    restFrom -= head.length - headBytes;
    var restTo = range.to() - endBytes;
    var tail = run.output().read(range.stream(), restTo, range.to());
    var tailStart = Utf8.restBytes(tail);
    restTo += tailStart;
    var tailEnd = tail.length - Utf8.splitBytes(tail, tail.length);
    var text =
        new String(head, 0, headBytes, StandardCharsets.UTF_8)
            + "\n[%d bytes left out: offsets %d to %d of %s]\n"
                .formatted(restTo - restFrom, restFrom, restTo, range.stream().word())
            + new String(tail, tailStart, tailEnd - tailStart, StandardCharsets.UTF_8);
    var bytes = range.to() - (tail.length - tailEnd) - range.from();
    var item = item(frame, range.stream(), text, range.from(), bytes);
    Objects.requireNonNull(item.meta(), "that of an item of output")
        .putObject("rest")
        .put("id", range.stream().logId(run.taskId()))
        .put("offset_bytes", restFrom)
        .put("bytes", restTo - restFrom);
    return item;
  }

  /** How many bytes the next item has: a character has no fewer, so it is not too long either. */
  private static int part(byte[] bytes, int at, int end) {
    var to = Math.min(end, at + ITEM_CHARS_MAX);
    return to == end ? end - at : to - at - Utf8.splitBytes(bytes, to);
  }

  /** A log that ends inside a character: what is there of it comes when no more can come. */
  private void rest(
      Run run, Frame.OfTask frame, TaskEvent.ArtifactWritten written, List<RunItem> items) {
    var stream = written.log().stream();
    var end = written.log().bytesTotal();
    var rest = torn(run, stream, end);
    if (rest > 0) {
      var bytes = run.output().read(stream, end - rest, end);
      var text = new String(bytes, StandardCharsets.UTF_8);
      items.add(item(frame, stream, text, end - rest, bytes.length));
    }
  }

  /** How many bytes before this offset begin a character that goes on behind it. */
  private int torn(Run run, LogStream stream, long offset) {
    var from = Math.max(0, offset - (Utf8.CHARACTER_BYTES_MAX - 1));
    var bytes = run.output().read(stream, from, offset);
    return Utf8.splitBytes(bytes, bytes.length);
  }

  /** What a terminal shows is neither, and is called output. */
  private static RunItem item(
      Frame.OfTask frame, LogStream stream, String text, long offset, long bytes) {
    var type =
        switch (stream) {
          case STDOUT, PTY -> RunItem.STDOUT;
          case STDERR -> RunItem.STDERR;
        };
    var meta = JsonNodeFactory.instance.objectNode().put("offset", offset).put("bytes", bytes);
    return new RunItem(frame.head().seq(), type, text, meta, frame.head().timestampMs());
  }

  private static RunItem truncated(Run run, Frame.OfTask frame) {
    var meta =
        JsonNodeFactory.instance
            .objectNode()
            .put("run_id", run.taskId().value())
            .put("limit", run.shownBytesMax());
    return new RunItem(
        frame.head().seq(), RunItem.EVENT, "output_truncated", meta, frame.head().timestampMs());
  }
}
