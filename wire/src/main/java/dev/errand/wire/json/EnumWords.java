package dev.errand.wire.json;

import java.util.Locale;

/** The lower-case words that stand for the values of an enum. */
final class EnumWords {

  private EnumWords() {}

  static <E extends Enum<E>> E of(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
  }
}
