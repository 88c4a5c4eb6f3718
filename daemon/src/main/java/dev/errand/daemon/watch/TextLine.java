package dev.errand.daemon.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.wire.terminal.EscapeFilter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A line as a pattern sees it, and the place of each of its characters in the log. Bytes that are
 * not UTF-8 are U+FFFD.
 */
final class TextLine {
  private final String text;
  private final byte[] shown;

  /** The place of each shown byte in the raw bytes; null if none were removed. */
  private final int @Nullable [] places;

  private TextLine(byte[] shown, int @Nullable [] places) {
    this.shown = shown;
    this.places = places;
    this.text = new String(shown, UTF_8);
  }

  static TextLine plain(byte[] bytes) {
    return new TextLine(bytes, null);
  }

  /** Of a terminal: only what a reader sees. */
  static TextLine shown(byte[] bytes) {
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
    return new TextLine(Arrays.copyOf(shown, count), places);
  }

  String text() {
    return text;
  }

  /** The place among the line's bytes where the character of this index begins. */
  int start(int index) {
    var at = bytesBefore(index);
    return places == null ? at : places[at];
  }

  /** The place after the characters before this index. */
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
