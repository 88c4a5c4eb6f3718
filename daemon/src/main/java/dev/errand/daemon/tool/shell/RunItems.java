package dev.errand.daemon.tool.shell;

import dev.errand.core.frame.Frame;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /** A page ends before it would have more, unless one item alone does. */
  private static final int PAGE_BYTES_MAX = 1 << 20;

  /** The longest text of an item; a frame of a flood makes several, all with its number. */
  private static final int ITEM_CHARS_MAX = 65_536;

  /** Of the output of a merged frame so much is shown of its start and of its end. */
  private static final int MERGED_END_BYTES = 64 << 10;

  private final ShownOutput shown;

  RunItems(ShownOutput shown) {
    this.shown = shown;
  }

  /** Items behind {@code since}, and the number to give as that for what follows. */
  record Page(List<RunItem> items, long nextSeq) {}

  /** At most so many items, of one type where one is given; the bound counts what is returned. */
  Page read(Run run, long since, int limit, @Nullable String type) {
    var items = new ArrayList<RunItem>();
    var at = since;
    var chars = 0L;
    while (at - since < FRAMES_MAX) {
      var frames = run.frames().read(at, PAGE_FRAMES);
      if (frames.isEmpty()) {
        return new Page(items, items.isEmpty() ? since : items.getLast().seq());
      }
      var cut = shown.cut(run, frames.getLast().head().seq());
      for (var frame : frames) {
        var made = made(run, frame, cut);
        made.removeIf(it -> type != null && !it.type().equals(type));
        chars += made.stream().mapToLong(it -> it.payload().length()).sum();
        // Items of one frame are never parted: a reader could not ask for the rest.
        var tooMany = items.size() + made.size() > limit || chars > PAGE_BYTES_MAX;
        if (!items.isEmpty() && !made.isEmpty() && tooMany) {
          return new Page(items, items.getLast().seq());
        }
        items.addAll(made);
        at = frame.head().seq();
      }
    }
    return new Page(items, at);
  }

  private List<RunItem> made(Run run, Frame.OfTask frame, ShownOutput.@Nullable Cut cut) {
    var items = new ArrayList<RunItem>();
    var seq = frame.head().seq();
    if (frame.event() instanceof TaskEvent.Output it) {
      if (cut == null || seq <= cut.seq()) {
        var bytes = cut != null && seq == cut.seq() ? cut.bytes() : it.bytes();
        output(run, frame, it, it.offset() + bytes, items);
      }
      if (cut != null && seq == cut.seq()) {
        items.add(truncated(run, frame));
      }
    } else if (frame.event() instanceof TaskEvent.ArtifactWritten it && cut == null) {
      rest(run, frame, it, items);
    } else {
      RunEvents.item(run, frame.head(), frame.event()).ifPresent(items::add);
    }
    return items;
  }

  private void output(
      Run run, Frame.OfTask frame, TaskEvent.Output output, long to, List<RunItem> items) {
    var from = output.offset() - torn(run, output.stream(), output.offset());
    if (output.merged() && to - from > 2 * MERGED_END_BYTES) {
      items.add(merged(run, frame, new Range(output.stream(), from, to)));
      return;
    }
    var bytes = run.output().read(output.stream(), from, to);
    var length = bytes.length - Utf8.splitBytes(bytes, bytes.length);
    for (var at = 0; at < length; ) {
      var part = part(bytes, at, length);
      var text = new String(bytes, at, part, StandardCharsets.UTF_8);
      items.add(item(frame, output.stream(), text, from + at, part));
      at += part;
    }
  }

  /** A part of a log. */
  private record Range(LogStream stream, long from, long to) {}

  /** The start and the end of a long range, and where the rest of it can be read. */
  private RunItem merged(Run run, Frame.OfTask frame, Range range) {
    var restFrom = range.from() + MERGED_END_BYTES;
    var head = run.output().read(range.stream(), range.from(), restFrom);
    var headBytes = head.length - Utf8.splitBytes(head, head.length);
    restFrom -= head.length - headBytes;
    var restTo = range.to() - MERGED_END_BYTES;
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
