package dev.errand.daemon.tool.excerpt;

import dev.errand.core.error.PastEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.OpenOutput;
import dev.errand.daemon.verb.ReadTail;
import dev.errand.daemon.verb.TaskOutput;
import dev.errand.daemon.verb.Verbs;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads parts of the output of tasks that fit into an answer. */
public final class OutputReader {
  private static final int CHUNK_BYTES = 64 << 10;

  /** No more is read for one part, however little text it makes, as of a progress bar. */
  private static final int RAW_BYTES_MAX = 1 << 20;

  /** A stream is never left less than this part of the room by the one before it. */
  private static final int SHARE_PART = 4;

  /** With less room nothing of a stream is shown. */
  private static final int ROOM_MIN = 4;

  private static final int HEAD_PART = 3;
  private static final int BYTES_PER_CHAR = 4;

  private final Verbs verbs;

  public OutputReader(Verbs verbs) {
    this.verbs = verbs;
  }

  /**
   * Some output of all streams, those but the first under their names.
   *
   * @param from where it begins
   * @param next where to read on
   * @param more whether there was more at the time of the read
   */
  public record Part(String text, OutputCursor from, OutputCursor next, boolean more) {}

  /** The call that reads on from a cursor, as it is shown. */
  public interface ReadOn {
    String at(OutputCursor cursor);
  }

  /** A part of one stream. */
  private record Piece(String text, long from, long next, long total) {
    boolean more() {
      return next < total;
    }
  }

  /** A task and what it wrote. */
  private record Source(TaskView view, TaskOutput output) {}

  private Source source(Ask ask, TaskView view) throws InterruptedException {
    return new Source(view, verbs.output().open().run(ask, new OpenOutput.Request(view.id())));
  }

  /** What follows a cursor, exactly: each part goes on where the one before ended. */
  public Part after(Ask ask, TaskView view, OutputCursor cursor, int room)
      throws InterruptedException {
    var source = source(ask, view);
    var logs = logs(view);
    var text = new StringBuilder();
    var next = cursor;
    var more = false;
    for (var i = 0; i < logs.size(); i++) {
      var left = room - JsonCost.of(text) - kept(logs, cursor, i, room);
      var piece = forward(source, logs.get(i).stream(), cursor.of(i), Math.max(0, left));
      section(text, logs, i, piece.text());
      next = next.with(i, piece.next());
      more = more || piece.more();
    }
    return new Part(text.toString(), cursor, next, more);
  }

  /** The end of what there is. */
  public Part tail(Ask ask, TaskView view, int room) throws InterruptedException {
    return tail(ask, view, room, null);
  }

  /** The same; of each stream at most so many lines, where a number is given. */
  public Part tail(Ask ask, TaskView view, int room, @Nullable Long lines)
      throws InterruptedException {
    var logs = logs(view);
    var start = OutputCursor.start(view);
    if (lines == null && fits(view, room)) {
      return new Part(merged(ask, view, room), start, OutputCursor.end(view), false);
    }
    var source = source(ask, view);
    var text = new StringBuilder();
    var from = start;
    var next = start;
    for (var i = 0; i < logs.size(); i++) {
      var left = room - JsonCost.of(text) - kept(logs, start, i, room);
      var piece = backward(source, logs.get(i).stream(), Math.max(0, left), lines);
      section(text, logs, i, piece.text());
      from = from.with(i, piece.from());
      next = next.with(i, piece.next());
    }
    return new Part(text.toString(), from, next, false);
  }

  /**
   * All of it, or of each stream the head and the tail with a line between that says how to go on.
   */
  public Part ends(Ask ask, TaskView view, int room, ReadOn readOn) throws InterruptedException {
    var logs = logs(view);
    var start = OutputCursor.start(view);
    if (fits(view, room)) {
      return new Part(merged(ask, view, room), start, OutputCursor.end(view), false);
    }
    var source = source(ask, view);
    var text = new StringBuilder();
    var next = start;
    var used = 0;
    for (var i = 0; i < logs.size(); i++) {
      var stream = logs.get(i).stream();
      // The lines between heads and tails are not counted: an answer has room for them elsewhere.
      var left = Math.max(0, room - used - kept(logs, start, i, room));
      var ends = ends(source, stream, left);
      var to = OutputCursor.end(view).with(i, ends.getFirst().next());
      section(text, logs, i, joined(ends, stream, readOn.at(to)));
      used += ends.stream().mapToInt(it -> JsonCost.of(it.text())).sum();
      next = next.with(i, ends.getLast().total());
    }
    return new Part(text.toString(), start, next, false);
  }

  /** The same of one stream, where it has no place beside others. */
  public String ends(Ask ask, TaskView view, LogStream stream, int room, ReadOn readOn)
      throws InterruptedException {
    var ends = ends(source(ask, view), stream, room);
    var index = logs(view).stream().map(TaskView.Log::stream).toList().indexOf(stream);
    var to = OutputCursor.end(view).with(index, ends.getFirst().next());
    return joined(ends, stream, readOn.at(to));
  }

  /** All of a stream, or its head and its tail. */
  private static List<Piece> ends(Source source, LogStream stream, int room) {
    var all = forward(source, stream, 0, room);
    if (!all.more()) {
      return List.of(all);
    }
    var head = forward(source, stream, 0, room / HEAD_PART);
    var tail = backward(source, stream, room - room / HEAD_PART, null);
    if (tail.from() >= head.next()) {
      return List.of(head, tail);
    }
    // Lines that were written over make less text than bytes, so that both ends may meet.
    var rest = forward(source, stream, head.next(), room - room / HEAD_PART);
    return List.of(head, rest);
  }

  private static String joined(List<Piece> ends, LogStream stream, String readOn) {
    var head = ends.getFirst();
    var tail = ends.getLast();
    if (ends.size() == 1) {
      return head.text();
    }
    var left = tail.from() - head.next();
    var gap =
        left <= 0
            ? ""
            : "[… %,d of %,d bytes of %s left out; %s reads on …]\n"
                .formatted(left, tail.total(), stream.word(), readOn);
    return ended(head.text()) + gap + tail.text();
  }

  private static String ended(String text) {
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
  }

  /** What is kept free for the streams after this one. */
  private static int kept(List<TaskView.Log> logs, OutputCursor from, int stream, int room) {
    var kept = 0L;
    for (var i = stream + 1; i < logs.size(); i++) {
      kept += Math.min(room / SHARE_PART, 2 * Math.max(0, logs.get(i).bytesTotal() - from.of(i)));
    }
    return (int) kept;
  }

  /** The name of a stream that is not the usual one stands before its text. */
  private static void section(
      StringBuilder text, List<TaskView.Log> logs, int stream, String piece) {
    if (piece.isEmpty()) {
      return;
    }
    if (stream > 0) {
      if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
      text.append('[').append(logs.get(stream).stream().word()).append("]\n");
    }
    text.append(piece);
  }

  /**
   * Whether all streams together, in the order of writing, are surely not too long. Of a task that
   * still writes each stream is read by itself, so that its cursor is exact.
   */
  private static boolean fits(TaskView view, int room) {
    return view.isOver()
        && 2 * view.bytesTotal() <= room
        && logs(view).stream().noneMatch(TaskView.Log::truncated);
  }

  private String merged(Ask ask, TaskView view, int room) throws InterruptedException {
    var request = new ReadTail.Request(view.id(), room);
    return verbs.output().tail().run(ask, request).text();
  }

  private static Piece forward(Source source, LogStream stream, long from, int room) {
    var output = source.output();
    var total = output.total(stream);
    PastEnd.checkOffset("cursor", from, total);
    if (room < ROOM_MIN) {
      return new Piece("", from, from, total);
    }
    var text = new StringBuilder();
    var at = from;
    while (at - from < RAW_BYTES_MAX && at < total) {
      var stored = output.storedAt(stream, at);
      if (stored.from() > at) {
        text.append("[%,d bytes were dropped by the output cap]\n".formatted(stored.from() - at));
        at = stored.from();
      }
      var bytes = chunk(output, stream, at, stored.to());
      var whole = at + bytes.length >= total;
      // Half of a character at the end of a chunk is read with the next one.
      var length = whole && source.view().isOver() ? bytes.length : whole(bytes);
      var left = room - JsonCost.of(text);
      var taken = PlainLines.first(Arrays.copyOf(bytes, length), left, whole, text.isEmpty());
      text.append(taken.text());
      at += taken.bytes();
      if (length == 0) {
        // Half of a character, whose rest has not been written yet.
        return new Piece(text.toString(), from, at, at);
      }
      if (taken.bytes() == 0) {
        break;
      }
    }
    return new Piece(text.toString(), from, at, Math.max(total, at));
  }

  /** As many bytes that the end of a line is among them, or as one part may have at most. */
  private static byte[] chunk(TaskOutput output, LogStream stream, long at, long end) {
    var size = CHUNK_BYTES;
    while (true) {
      var bytes = output.read(stream, at, Math.min(end, at + size));
      if (at + bytes.length >= end || size >= RAW_BYTES_MAX || hasLine(bytes)) {
        return bytes;
      }
      size = RAW_BYTES_MAX;
    }
  }

  private static boolean hasLine(byte[] bytes) {
    for (var each : bytes) {
      if (each == '\n') {
        return true;
      }
    }
    return false;
  }

  private static int whole(byte[] bytes) {
    return bytes.length - Utf8.splitBytes(bytes, bytes.length);
  }

  private static Piece backward(Source source, LogStream stream, int room, @Nullable Long lines) {
    var output = source.output();
    var total = output.total(stream);
    if (room < ROOM_MIN) {
      return new Piece("", total, total, total);
    }
    var first = output.lastStoredFrom(stream);
    var wanted = Math.clamp((long) BYTES_PER_CHAR * room, CHUNK_BYTES / 4, RAW_BYTES_MAX);
    while (true) {
      var start = Math.max(first, total - wanted);
      var bytes = output.read(stream, start, total);
      var length = source.view().isOver() ? bytes.length : whole(bytes);
      var end = start + length;
      var most = lines == null ? Long.MAX_VALUE : lines;
      var taken = PlainLines.last(Arrays.copyOf(bytes, length), room, start == first, most);
      var isShort = lines == null && JsonCost.of(taken.text()) < room / 2;
      if (!isShort || start == first || wanted >= RAW_BYTES_MAX) {
        return new Piece(taken.text(), end - taken.bytes(), end, total);
      }
      wanted = Math.min(RAW_BYTES_MAX, BYTES_PER_CHAR * wanted);
    }
  }

  private static List<TaskView.Log> logs(TaskView view) {
    return view.facts().progress().logs();
  }
}
