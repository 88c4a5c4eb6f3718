package dev.errand.cli.board;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A key that was pressed: a character, or one that has a name. */
sealed interface Key {
  record Typed(int codePoint) implements Key {}

  enum Named implements Key {
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    HOME,
    END,
    ENTER,
    ESCAPE,
    BACKSPACE,
    INTERRUPT
  }

  /** The sequences after an escape; longer ones first if one is a prefix of another. */
  Map<String, Named> SEQUENCES =
      Map.ofEntries(
          Map.entry("[A", Named.UP),
          Map.entry("OA", Named.UP),
          Map.entry("[B", Named.DOWN),
          Map.entry("OB", Named.DOWN),
          Map.entry("[5~", Named.PAGE_UP),
          Map.entry("[6~", Named.PAGE_DOWN),
          Map.entry("[H", Named.HOME),
          Map.entry("OH", Named.HOME),
          Map.entry("[1~", Named.HOME),
          Map.entry("[F", Named.END),
          Map.entry("OF", Named.END),
          Map.entry("[4~", Named.END));

  /** The keys in one read; unknown sequences are skipped. */
  static List<Key> of(byte[] bytes, int count) {
    var text = new String(bytes, 0, count, StandardCharsets.UTF_8);
    var keys = new ArrayList<Key>();
    var at = 0;
    while (at < text.length()) {
      if (text.charAt(at) != '\033') {
        var codePoint = text.codePointAt(at);
        keys.add(plain(codePoint));
        at += Character.charCount(codePoint);
        continue;
      }
      var end = sequenceEnd(text, at + 1);
      var named = end == at + 1 ? Named.ESCAPE : SEQUENCES.get(text.substring(at + 1, end));
      if (named != null) {
        keys.add(named);
      }
      at = end;
    }
    return keys;
  }

  private static Key plain(int codePoint) {
    return switch (codePoint) {
      case '\r', '\n' -> Named.ENTER;
      case 0x7f, '\b' -> Named.BACKSPACE;
      case 3 -> Named.INTERRUPT;
      default -> new Typed(codePoint);
    };
  }

  /** The end of the sequence that begins here; the same index if there is none. */
  private static int sequenceEnd(String text, int from) {
    if (from >= text.length() || "[O".indexOf(text.charAt(from)) < 0) {
      return from;
    }
    var at = from + 1;
    while (at < text.length() && (text.charAt(at) < '@' || text.charAt(at) > '~')) {
      at++;
    }
    return Math.min(text.length(), at + 1);
  }
}
