package dev.errand.daemon.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.wire.terminal.EscapeFilter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A line as a pattern sees it, and where each of its characters stands in the log. Bytes that are
 * not UTF-8 are U+FFFD.
 */
final class Line {
  private final String text;
  private final byte[] shown;

  /** Where each shown byte was before others were taken out; null where none were. */
  private final int @Nullable [] places;

  private Line(byte[] shown, int @Nullable [] places) {
    this.shown = shown;
    this.places = places;
    this.text = new String(shown, UTF_8);
  }

  static Line plain(byte[] bytes) {
    return new Line(bytes, null);
  }

  /** Of a terminal: without all that a reader does not see. */
  static Line shown(byte[] bytes) {
    var filter = new EscapeFilter();
    var shown = new byte[bytes.length];
    var places = new int[bytes.length + 1];
    var count = 0;
    for (var i = 0; i < bytes.length; i++) {
      if (filter.shows(bytes[i])) {
        places[count] = i;
        shown[count++] = bytes[i];
      }
    }
    places[count] = bytes.length;
    return new Line(Arrays.copyOf(shown, count), places);
  }

  String text() {
    return text;
  }

  /** The place among the line's bytes where the character of this index begins. */
  int start(int index) {
    var at = bytesBefore(index);
    return places == null ? at : places[at];
  }

  /** The place behind the characters before this index. */
  int end(int index) {
    var at = bytesBefore(index);
    return places == null || at == 0 ? start(index) : places[at - 1] + 1;
  }

  private int bytesBefore(int index) {
    if (text.length() == shown.length) {
      return index;
    }
    var in = ByteBuffer.wrap(shown);
    UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE)
        .decode(in, CharBuffer.allocate(index), true);
    return in.position();
  }
}
