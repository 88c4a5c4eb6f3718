package dev.errand.daemon.tool.excerpt;

import dev.errand.core.task.Utf8;
import dev.errand.daemon.output.PlainText;
import java.nio.charset.StandardCharsets;

/**
 * Lines of raw output as plain text, as many as there is room for. The room is counted as JSON
 * writes the text, so that what fits as text fits into a structured answer as well.
 */
final class PlainLines {
  private PlainLines() {}

  /** Plain text, and how many bytes it was made of. */
  record Taken(String text, int bytes) {}

  /**
   * Takes from the start.
   *
   * @param whole whether nothing follows these bytes now; otherwise a line without its end is left
   * @param some whether to take a part of a first line that is too long; otherwise nothing of it
   */
  static Taken first(byte[] raw, int room, boolean whole, boolean some) {
    var text = new StringBuilder();
    var left = room;
    var at = 0;
    while (at < raw.length) {
      var end = lineEnd(raw, at);
      var complete = raw[end - 1] == '\n';
      if (!complete && !whole && (at > 0 || !some)) {
        break;
      }
      var line = plain(raw, at, end);
      var cost = JsonCost.of(line);
      if (cost > left) {
        if (at > 0 || !some) {
          break;
        }
        return firstPart(raw, room);
      }
      text.append(line);
      left -= cost;
      at = end;
    }
    return new Taken(text.toString(), at);
  }

  /** The start of the first line, which is too long. */
  private static Taken firstPart(byte[] raw, int room) {
    var end = Math.max(1, shortened(raw, Math.min(raw.length, room)));
    var line = plain(raw, 0, end);
    while (JsonCost.of(line) > room && end > 1) {
      end = Math.max(1, shortened(raw, end / 2));
      line = plain(raw, 0, end);
    }
    return new Taken(line, end);
  }

  /**
   * Takes from the end.
   *
   * @param start whether these bytes begin a line
   * @param linesMax at most so many lines
   */
  static Taken last(byte[] raw, int room, boolean start, long linesMax) {
    var first = start ? 0 : lineEnd(raw, 0);
    // Without a border of lines any character may be the first.
    if (first >= raw.length) {
      first = start ? 0 : Utf8.restBytes(raw);
    }
    var text = new StringBuilder();
    var left = room;
    var from = raw.length;
    for (var lines = 0L; from > first && lines < linesMax; lines++) {
      var begin = lineStart(raw, from, first);
      var line = plain(raw, begin, from);
      var cost = JsonCost.of(line);
      if (cost > left) {
        if (from < raw.length) {
          break;
        }
        return lastPart(raw, begin, room);
      }
      text.insert(0, line);
      left -= cost;
      from = begin;
    }
    return new Taken(text.toString(), raw.length - from);
  }

  /** The end of the last line, which is too long. */
  private static Taken lastPart(byte[] raw, int begin, int room) {
    var from = Math.max(begin, raw.length - room);
    var line = "";
    while (from < raw.length) {
      while (from < raw.length && (raw[from] & 0xc0) == 0x80) {
        from++;
      }
      line = plain(raw, from, raw.length);
      if (JsonCost.of(line) <= room) {
        break;
      }
      from += (raw.length - from + 1) / 2;
    }
    return new Taken(line, raw.length - from);
  }

  /** As many bytes without half of a character. */
  private static int shortened(byte[] raw, int end) {
    return end == raw.length ? end : end - Utf8.splitBytes(raw, end);
  }

  private static String plain(byte[] raw, int from, int to) {
    return PlainText.of(new String(raw, from, to - from, StandardCharsets.UTF_8));
  }

  private static int lineEnd(byte[] raw, int from) {
    for (var i = from; i < raw.length; i++) {
      if (raw[i] == '\n') {
        return i + 1;
      }
    }
    return raw.length;
  }

  private static int lineStart(byte[] raw, int end, int first) {
    for (var i = end - 2; i >= first; i--) {
      if (raw[i] == '\n') {
        return i + 1;
      }
    }
    return first;
  }
}
