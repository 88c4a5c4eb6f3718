package dev.errand.host.process;

import dev.errand.host.linux.Terminals;
import dev.errand.host.linux.Terminals.Mode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The line that is being typed at a terminal.
 *
 * <p>A terminal that edits lines keeps a limited number of bytes of one line and silently drops the
 * rest, so a write that would exceed the limit is refused. Only typed bytes are counted; what the
 * process has read already is no longer part of the line.
 */
final class TypedLine {
  static final int LINE_BYTES_MAX = 4_095;

  private final int master;
  private int length;

  TypedLine(int master) {
    this.master = master;
  }

  /** Why these bytes cannot be typed now; null if they can. */
  @Nullable String refusal(byte[] bytes) {
    var mode = Terminals.mode(master).orElse(null);
    if (mode == null || !mode.canonical()) {
      return null;
    }
    var at = length;
    for (var typed : bytes) {
      at = after(at, typed, mode);
      if (at > LINE_BYTES_MAX) {
        return "this would put more than "
            + LINE_BYTES_MAX
            + " bytes on one line, and the terminal would drop the rest; end the line before, or"
            + " let the program read bytes instead of lines";
      }
    }
    return null;
  }

  /** These bytes were typed. */
  void took(byte[] bytes, int from, int to) {
    var mode = Terminals.mode(master).orElse(null);
    if (mode == null || !mode.canonical()) {
      length = 0;
      return;
    }
    for (var i = from; i < to; i++) {
      length = after(length, bytes[i], mode);
    }
  }

  private static int after(int length, byte typed, Mode mode) {
    if (typed == '\n' || typed == '\r' || ends(typed, mode)) {
      return 0;
    }
    return mode.is(Terminals.Key.ERASE, typed) ? Math.max(0, length - 1) : length + 1;
  }

  /** The keys that end a line or discard it. */
  private static boolean ends(byte typed, Mode mode) {
    return mode.is(Terminals.Key.EOF, typed)
        || mode.is(Terminals.Key.EOL, typed)
        || mode.is(Terminals.Key.EOL2, typed)
        || mode.is(Terminals.Key.KILL, typed)
        || (mode.signals()
            && (mode.is(Terminals.Key.INTR, typed)
                || mode.is(Terminals.Key.QUIT, typed)
                || mode.is(Terminals.Key.SUSP, typed)));
  }

  /**
   * These bytes and the key that means end of input; after an unfinished line that key is needed
   * twice.
   */
  byte[] withEnd(byte[] bytes) {
    var mode = Terminals.mode(master).orElse(null);
    var key = mode == null ? 0 : mode.key(Terminals.Key.EOF);
    if (mode == null || key == 0) {
      return bytes;
    }
    var at = length;
    for (var typed : bytes) {
      at = after(at, typed, mode);
    }
    var keys = mode.canonical() && at > 0 ? 2 : 1;
    var all = Arrays.copyOf(bytes, bytes.length + keys);
    Arrays.fill(all, bytes.length, all.length, key);
    return all;
  }
}
