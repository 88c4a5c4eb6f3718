package dev.errand.wire.json;

/** Half a character has no UTF-8 form, so it must not reach a wire or a process. */
final class Unicode {
  private static final char REPLACEMENT = '\uFFFD';

  private Unicode() {}

  static boolean isWellFormed(String text) {
    var at = 0;
    while (at < text.length()) {
      var codePoint = text.codePointAt(at);
      if (isHalf(codePoint)) {
        return false;
      }
      at += Character.charCount(codePoint);
    }
    return true;
  }

  /** The text itself, or with each lone surrogate replaced. */
  static String wellFormed(String text) {
    if (isWellFormed(text)) {
      return text;
    }
    var mended = new StringBuilder(text.length());
    text.codePoints().map(it -> isHalf(it) ? REPLACEMENT : it).forEach(mended::appendCodePoint);
    return mended.toString();
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
