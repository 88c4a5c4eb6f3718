package dev.errand.daemon.condition;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import dev.errand.core.task.Utf8;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The end of a log that comes in pieces, searched for a pattern as if it had come at once. What was
 * searched is kept only as far back as a match may reach, so that memory does not grow with the
 * log.
 *
 * <p>Offsets count bytes; the pattern sees characters. Bytes that are not UTF-8 are U+FFFD to it,
 * and a character of which only a part has come is waited for.
 */
final class TextWindow {

  /** A longer match may be missed where it came in several pieces. */
  static final int MATCH_BYTES_MAX = 32 * 1024;

  private final Pattern pattern;
  private byte[] bytes = new byte[0];

  /** Where in its log the first of the bytes stands. */
  private long base;

  /** A match begins here or later; text before it is only context for the pattern. */
  private int from;

  /**
   * @param reachesEnd whether it ends where the log ended so far, so that what comes may make it
   *     longer or, of a pattern that looks ahead, undo it
   */
  record Match(long offset, long end, boolean reachesEnd, String snippet) {}

  TextWindow(Pattern pattern, long offset) {
    this.pattern = pattern;
    this.base = offset;
  }

  /** Continues at an offset, with bytes before it in which no match may begin. */
  void restart(long offset, byte[] context) {
    bytes = context.clone();
    base = offset - context.length;
    from = context.length;
  }

  void append(byte[] more) {
    var length = bytes.length;
    bytes = Arrays.copyOf(bytes, length + more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
  }

  /** Where the next piece belongs. */
  long end() {
    return base + bytes.length;
  }

  /** A search that begins here finds all that this one would find from now on. */
  long searchedTo() {
    return base + from;
  }

  /** The first match so far; {@code complete} means that no more output will come. */
  @Nullable Match search(boolean complete) {
    var usable = bytes.length - (complete ? 0 : Utf8.splitBytes(bytes, bytes.length));
    var text = new String(bytes, 0, usable, UTF_8);
    var matcher = pattern.matcher(text);
    var match =
        matcher.find(Math.min(text.length(), new String(bytes, 0, from, UTF_8).length()))
            ? match(text, matcher.start(), matcher.end(), usable, complete)
            : null;
    forget(usable);
    return match;
  }

  private Match match(String text, int start, int end, int usable, boolean complete) {
    var first = bytesOf(text, start, usable);
    var last = bytesOf(text, end, usable);
    var open = !complete && last == usable && last - first < MATCH_BYTES_MAX;
    return new Match(base + first, base + last, open, Snippet.around(text, start, end));
  }

  /** How many bytes the first characters of the text came from. */
  private int bytesOf(String text, int chars, int usable) {
    if (text.length() == usable) {
      return chars;
    }
    var in = ByteBuffer.wrap(bytes, 0, usable);
    UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE)
        .decode(in, CharBuffer.allocate(chars), true);
    return in.position();
  }

  /** Keeps what a match may still begin in, and one character before it. */
  private void forget(int usable) {
    if (usable - MATCH_BYTES_MAX <= from) {
      return;
    }
    var keep = characterAt(usable - MATCH_BYTES_MAX);
    var context = keep;
    while (context > 0 && keep - context < Utf8.CHARACTER_BYTES_MAX) {
      context--;
      if ((bytes[context] & 0xC0) != 0x80) {
        break;
      }
    }
    bytes = Arrays.copyOfRange(bytes, context, bytes.length);
    base += context;
    from = keep - context;
  }

  private int characterAt(int index) {
    var at = index;
    for (var i = 1; i < Utf8.CHARACTER_BYTES_MAX && at < bytes.length; i++) {
      if ((bytes[at] & 0xC0) != 0x80) {
        break;
      }
      at++;
    }
    return at;
  }
}
