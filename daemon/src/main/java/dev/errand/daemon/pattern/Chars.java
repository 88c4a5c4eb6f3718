package dev.errand.daemon.pattern;

import java.util.BitSet;

/** A set of characters: exact of ASCII; of all others only whether some or all are in it. */
final class Chars {
  private static final int ASCII_END = 0x80;

  private final BitSet low = new BitSet(ASCII_END);
  private boolean someHigh;
  private boolean allHigh;

  static Chars all() {
    return new Chars().others();
  }

  static Chars digits() {
    var chars = new Chars();
    chars.add('0', '9');
    return chars;
  }

  static Chars words() {
    var chars = digits();
    chars.add('a', 'z');
    chars.add('A', 'Z');
    chars.add('_', '_');
    return chars;
  }

  static Chars spaces() {
    var chars = new Chars();
    for (var space : new char[] {'\t', '\n', '\f', '\r', ' '}) {
      chars.add(space, space);
    }
    return chars;
  }

  void add(int from, int to) {
    if (from < ASCII_END) {
      low.set(from, Math.min(to, ASCII_END - 1) + 1);
    }
    someHigh |= to >= ASCII_END;
  }

  void addAll(Chars more) {
    low.or(more.low);
    someHigh |= more.someHigh;
    allHigh |= more.allHigh;
  }

  /** All characters that are not in it, and outside of ASCII maybe some that are. */
  Chars others() {
    var others = new Chars();
    others.low.set(0, ASCII_END);
    others.low.andNot(low);
    others.someHigh = !allHigh;
    others.allHigh = !someHigh;
    return others;
  }

  /**
   * With the letters of the other case, and maybe more. Two characters outside of ASCII are letters
   * of it if case is ignored: the Kelvin sign is a k, and the long s an s.
   */
  Chars inAnyCase() {
    var cased = new Chars();
    cased.addAll(this);
    for (var letter = 'a'; letter <= 'z'; letter++) {
      var upper = Character.toUpperCase(letter);
      if (low.get(letter) || low.get(upper)) {
        cased.low.set(letter);
        cased.low.set(upper);
        cased.someHigh |= letter == 'k' || letter == 's';
      }
    }
    if (someHigh) {
      for (var letter : new char[] {'k', 'K', 's', 'S'}) {
        cased.low.set(letter);
      }
    }
    return cased;
  }

  BitSet low() {
    return low;
  }

  boolean hasHigh() {
    return someHigh || allHigh;
  }
}
