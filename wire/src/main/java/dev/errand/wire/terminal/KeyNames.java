package dev.errand.wire.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that an xterm sends for a key, by the key's name.
 *
 * <p>A name is a single character, or one of {@link #names()}, behind any of the prefixes {@code
 * C-} (control), {@code M-} (alt) and {@code S-} (shift), each at most once. The cursor keys are
 * those of the normal mode, which every program reads.
 */
public final class KeyNames {
  private static final String ESCAPE = "\u001b";
  private static final int SHIFT = 1;
  private static final int ALT = 2;
  private static final int CONTROL = 4;

  /**
   * Keys whose sequence ends in a letter: {@code ESC [ A}, with modifiers {@code ESC [ 1 ; 5 A}.
   */
  private static final Map<String, Character> BY_LETTER =
      Map.of("Up", 'A', "Down", 'B', "Right", 'C', "Left", 'D', "Home", 'H', "End", 'F');

  /** The same behind {@code ESC O} where there is no modifier. */
  private static final Map<String, Character> BY_APPLICATION_LETTER =
      Map.of("F1", 'P', "F2", 'Q', "F3", 'R', "F4", 'S');

  /** Keys whose sequence has a number: {@code ESC [ 3 ~}, with modifiers {@code ESC [ 3 ; 5 ~}. */
  private static final Map<String, Integer> BY_NUMBER = byNumber();

  /** Keys that send one character. */
  private static final Map<String, Character> PLAIN =
      Map.of("Enter", '\r', "Tab", '\t', "Escape", '\u001b', "Space", ' ', "Backspace", '\u007f');

  private KeyNames() {}

  private static Map<String, Integer> byNumber() {
    var numbers = new HashMap<String, Integer>();
    numbers.put("Insert", 2);
    numbers.put("Delete", 3);
    numbers.put("PageUp", 5);
    numbers.put("PageDown", 6);
    var code = 15;
    for (var key = 5; key <= 12; key++) {
      numbers.put("F" + key, code);
      // The numbers follow the gaps between the groups of keys on the first keyboards.
      code += key == 5 || key == 10 ? 2 : 1;
    }
    return Map.copyOf(numbers);
  }

  /** All names but those of single characters, without prefixes, in the order of the alphabet. */
  public static List<String> names() {
    var names = new ArrayList<String>();
    names.addAll(BY_LETTER.keySet());
    names.addAll(BY_APPLICATION_LETTER.keySet());
    names.addAll(BY_NUMBER.keySet());
    names.addAll(PLAIN.keySet());
    names.sort(null);
    return names;
  }

  /** What the key of that name sends; empty where there is no such key. */
  public static Optional<byte[]> bytes(String name) {
    var modifiers = 0;
    var key = name;
    while (key.length() > 2 && key.charAt(1) == '-') {
      var modifier = modifier(key.charAt(0));
      if (modifier == 0 || (modifiers & modifier) != 0) {
        return Optional.empty();
      }
      modifiers |= modifier;
      key = key.substring(2);
    }
    return Optional.ofNullable(text(key, modifiers)).map(it -> it.getBytes(UTF_8));
  }

  private static int modifier(char prefix) {
    return switch (prefix) {
      case 'S' -> SHIFT;
      case 'M' -> ALT;
      case 'C' -> CONTROL;
      default -> 0;
    };
  }

  private static @Nullable String text(String key, int modifiers) {
    var letter = BY_LETTER.get(key);
    if (letter != null) {
      return modifiers == 0 ? ESCAPE + "[" + letter : modified("1", modifiers, letter);
    }
    var application = BY_APPLICATION_LETTER.get(key);
    if (application != null) {
      return modifiers == 0 ? ESCAPE + "O" + application : modified("1", modifiers, application);
    }
    var number = BY_NUMBER.get(key);
    if (number != null) {
      return modifiers == 0
          ? ESCAPE + "[" + number + "~"
          : modified(number.toString(), modifiers, '~');
    }
    return typed(key, modifiers);
  }

  private static String modified(String first, int modifiers, char last) {
    return ESCAPE + "[" + first + ";" + (1 + modifiers) + last;
  }

  /** Alt is an escape in front, shift is only for Tab, and control changes the character. */
  private static @Nullable String typed(String key, int modifiers) {
    var plain = PLAIN.get(key);
    if (plain == null && (key.isEmpty() || key.codePointCount(0, key.length()) != 1)) {
      return null;
    }
    var alt = (modifiers & ALT) != 0 ? ESCAPE : "";
    if ((modifiers & SHIFT) != 0) {
      return key.equals("Tab") && (modifiers & CONTROL) == 0 ? alt + ESCAPE + "[Z" : null;
    }
    var sent = plain == null ? key : plain.toString();
    if ((modifiers & CONTROL) == 0) {
      return alt + sent;
    }
    var control = controlled(sent);
    return control == null ? null : alt + control;
  }

  private static @Nullable Character controlled(String sent) {
    if (sent.equals(" ")) {
      return '\0';
    }
    if (sent.equals("?")) {
      return '\u007f';
    }
    var upper = sent.length() == 1 ? Character.toUpperCase(sent.charAt(0)) : '\0';
    return upper >= '@' && upper <= '_' ? (Character) (char) (upper - '@') : null;
  }
}
