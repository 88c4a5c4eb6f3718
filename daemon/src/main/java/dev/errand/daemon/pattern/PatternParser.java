package dev.errand.daemon.pattern;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads an RE2 pattern into an automaton that accepts at least every line in which the pattern
 * occurs.
 *
 * <p>For ASCII the automaton is mostly exact. Any other character is a run of bytes above 127, word
 * boundaries match everywhere, and an unknown class contains every character: this lets more lines
 * through, never fewer. Other unknown syntax is reported, not guessed.
 */
final class PatternParser {
  private static final int REPEATS_MAX = 1_000;
  private static final int DEPTH_MAX = 200;
  private static final int END_OF_TEXT = -1;
  private static final int ASCII_END = 0x80;
  private static final int BYTE_END = 0x100;
  private static final String CLASS_LETTERS = "dDsSwWpP";

  private final Automaton automaton;
  private final String text;
  private int at;
  private int depth;
  private boolean ignoreCase;

  private PatternParser(Automaton automaton, String text) {
    this.automaton = automaton;
    this.text = text;
  }

  /** The pattern uses syntax that this parser does not know. */
  static final class NotUnderstood extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotUnderstood() {
      super("not understood", null, false, false);
    }
  }

  /** Adds the pattern and returns its first node. */
  static int parse(Automaton automaton, String text) {
    var parser = new PatternParser(automaton, text);
    var whole = parser.alternatives();
    if (parser.at < text.length()) {
      throw new NotUnderstood();
    }
    return whole.build(automaton.match());
  }

  /** A part of a pattern: makes its nodes in front of the node that follows it. */
  private interface Part {
    int build(int next);
  }

  private Part alternatives() {
    if (++depth > DEPTH_MAX) {
      throw new NotUnderstood();
    }
    var outer = ignoreCase;
    var part = sequence();
    while (peek() == '|') {
      at++;
      var left = part;
      var right = sequence();
      part = next -> automaton.split(left.build(next), right.build(next));
    }
    ignoreCase = outer;
    depth--;
    return part;
  }

  private Part sequence() {
    Part part = next -> next;
    while (peek() != END_OF_TEXT && peek() != '|' && peek() != ')') {
      var before = part;
      var repeated = repeated();
      part = next -> before.build(repeated.build(next));
    }
    return part;
  }

  private Part repeated() {
    var part = atom();
    while (true) {
      var once = part;
      switch (peek()) {
        case '*' -> part = next -> loop(once, next);
        case '+' -> part = next -> again(once, next);
        case '?' -> part = next -> automaton.split(once.build(next), next);
        case '{' -> {
          var counted = counted(once);
          if (counted == null) {
            return part;
          }
          part = counted;
          skipLazy();
          continue;
        }
        default -> {
          return part;
        }
      }
      at++;
      skipLazy();
    }
  }

  private void skipLazy() {
    if (peek() == '?') {
      at++;
    }
  }

  private int loop(Part part, int next) {
    var split = automaton.split(Automaton.NOWHERE, next);
    automaton.lead(split, part.build(split));
    return split;
  }

  /** At least once. */
  private int again(Part part, int next) {
    var split = automaton.split(Automaton.NOWHERE, next);
    var start = part.build(split);
    automaton.lead(split, start);
    return start;
  }

  /** The repeat here, or null if the brace is only a brace. */
  private @Nullable Part counted(Part part) {
    var match = BoundedPattern.REPEAT.matcher(text).region(at, text.length());
    if (!match.lookingAt()) {
      return null;
    }
    at = match.end();
    var least = Integer.parseInt(match.group(1));
    var most = match.group(2);
    var open = most != null && most.isEmpty();
    var max = most == null || open ? least : Integer.parseInt(most);
    if (least > REPEATS_MAX || max > REPEATS_MAX || max < least) {
      throw new NotUnderstood();
    }
    return next -> {
      var start = open ? loop(part, next) : next;
      for (var i = least; i < max; i++) {
        start = automaton.split(part.build(start), next);
      }
      for (var i = 0; i < least; i++) {
        start = part.build(start);
      }
      return start;
    };
  }

  private Part atom() {
    var character = take();
    return switch (character) {
      case '(' -> group();
      case '[' -> oneOf(bracketed());
      case '.' -> oneOf(Chars.all());
      case '^' -> next -> automaton.border(Automaton.Kind.BEGIN, next);
      case '$' -> next -> automaton.border(Automaton.Kind.END, next);
      case '\\' -> escaped();
      case '*', '+', '?', ')', END_OF_TEXT -> throw new NotUnderstood();
      default -> oneOf(literal(character));
    };
  }

  private Part group() {
    if (peek() != '?') {
      return closed();
    }
    at++;
    if (text.startsWith("P<", at) || text.startsWith("<", at)) {
      at = text.indexOf('>', at) + 1;
      if (at == 0) {
        throw new NotUnderstood();
      }
      return closed();
    }
    var on = true;
    var wanted = ignoreCase;
    while (true) {
      switch (take()) {
        case 'i' -> wanted = on;
        // Lines hold no line break, and a prefilter does not care how much a repeat takes.
        case 'm', 's', 'U' -> {}
        case '-' -> on = false;
        case ')' -> {
          ignoreCase = wanted;
          return next -> next;
        }
        case ':' -> {
          var outer = ignoreCase;
          ignoreCase = wanted;
          var part = closed();
          ignoreCase = outer;
          return part;
        }
        default -> throw new NotUnderstood();
      }
    }
  }

  private Part closed() {
    var part = alternatives();
    if (take() != ')') {
      throw new NotUnderstood();
    }
    return part;
  }

  private Part escaped() {
    return switch (peek()) {
      case 'A' -> skipped(next -> automaton.border(Automaton.Kind.BEGIN, next));
      case 'z' -> skipped(next -> automaton.border(Automaton.Kind.END, next));
      case 'b', 'B' -> skipped(next -> next);
      case 'Q' -> quoted();
      default -> oneOf(escape());
    };
  }

  private Part skipped(Part part) {
    at++;
    return part;
  }

  private Part quoted() {
    var end = text.indexOf("\\E", at);
    var quoted = text.substring(at + 1, end < 0 ? text.length() : end);
    at = end < 0 ? text.length() : end + 2;
    Part part = next -> next;
    for (var character : quoted.codePoints().toArray()) {
      var before = part;
      var single = oneOf(literal(character));
      part = next -> before.build(single.build(next));
    }
    return part;
  }

  /** What follows a backslash, if that is a character or a class. */
  private Chars escape() {
    var kind = peek();
    if (kind == END_OF_TEXT || CLASS_LETTERS.indexOf(kind) < 0) {
      return literal(escapedCharacter());
    }
    at++;
    return switch (kind) {
      case 'd' -> Chars.digits();
      case 'D' -> Chars.digits().others();
      case 's' -> Chars.spaces();
      case 'S' -> Chars.spaces().others();
      case 'w' -> Chars.words();
      case 'W' -> Chars.words().others();
      default -> property();
    };
  }

  private Chars property() {
    if (take() == '{') {
      at = text.indexOf('}', at) + 1;
      if (at == 0) {
        throw new NotUnderstood();
      }
    }
    return Chars.all();
  }

  private int escapedCharacter() {
    var character = take();
    return switch (character) {
      case 'x' -> hexadecimal();
      case 'a' -> 0x07;
      case 'f' -> '\f';
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'v' -> 0x0b;
      default -> {
        var plain =
            character >= ' ' && character < ASCII_END && !Character.isLetterOrDigit(character);
        if (!plain) {
          throw new NotUnderstood();
        }
        yield character;
      }
    };
  }

  private int hexadecimal() {
    var braced = peek() == '{';
    var start = braced ? at + 1 : at;
    var end = braced ? text.indexOf('}', at) : at + 2;
    if (end <= start || end > text.length()) {
      throw new NotUnderstood();
    }
    at = braced ? end + 1 : end;
    try {
      return Integer.parseInt(text, start, end, 16);
    } catch (NumberFormatException _) {
      throw new NotUnderstood();
    }
  }

  private Chars literal(int character) {
    var chars = new Chars();
    chars.add(character, character);
    return ignoreCase ? chars.inAnyCase() : chars;
  }

  /** One character of these: an ASCII one is a byte, all others are a run of high bytes. */
  private Part oneOf(Chars chars) {
    var low = chars.low();
    if (!chars.hasHigh()) {
      return next -> automaton.bytes(low, next);
    }
    var high = new BitSet(BYTE_END);
    high.set(ASCII_END, BYTE_END);
    Part run = next -> again(following -> automaton.bytes(high, following), next);
    return low.isEmpty()
        ? run
        : next -> automaton.split(automaton.bytes(low, next), run.build(next));
  }

  private int peek() {
    return at < text.length() ? text.codePointAt(at) : END_OF_TEXT;
  }

  private int take() {
    var character = peek();
    at += character == END_OF_TEXT ? 0 : Character.charCount(character);
    return character;
  }

  /** The content of brackets. */
  private Chars bracketed() {
    var negated = peek() == '^';
    at += negated ? 1 : 0;
    var chars = new Chars();
    var guessed = false;
    for (var isFirst = true; isFirst || peek() != ']'; isFirst = false) {
      if (text.startsWith("[:", at)) {
        at = text.indexOf(":]", at) + 2;
        if (at == 1) {
          throw new NotUnderstood();
        }
        guessed = true;
      } else {
        guessed |= text.startsWith("\\p", at) || text.startsWith("\\P", at);
        member(chars);
      }
    }
    at++;
    if (guessed) {
      return Chars.all();
    }
    // What letters of the other case would also exclude, a prefilter may let through.
    if (negated) {
      return chars.others();
    }
    return ignoreCase ? chars.inAnyCase() : chars;
  }

  private void member(Chars chars) {
    var isClass =
        peek() == '\\' && at + 1 < text.length() && CLASS_LETTERS.indexOf(text.charAt(at + 1)) >= 0;
    if (isClass) {
      at++;
      chars.addAll(escape());
      return;
    }
    var low = bound();
    var isRange = peek() == '-' && at + 1 < text.length() && text.charAt(at + 1) != ']';
    at += isRange ? 1 : 0;
    var high = isRange ? bound() : low;
    if (high < low) {
      throw new NotUnderstood();
    }
    chars.add(low, high);
  }

  private int bound() {
    var character = take();
    if (character == END_OF_TEXT) {
      throw new NotUnderstood();
    }
    return character == '\\' ? escapedCharacter() : character;
  }
}
