package dev.errand.daemon.pattern;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles RE2 patterns. Matching is linear by itself; compiling is not bounded, so the length of a
 * pattern and its repeats are.
 */
public final class BoundedPattern {
  public static final int CHARS_MAX = 1_000;

  /** Of the pattern's length times its repeats: about what it takes in memory once compiled. */
  private static final long SIZE_MAX = 100_000;

  private static final int QUICK_STEPS_MAX = 1_000;

  static final java.util.regex.Pattern REPEAT =
      java.util.regex.Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?\\}");

  private BoundedPattern() {}

  /** Fails with an IllegalArgumentException that names the reason. */
  public static Pattern compile(String text, int flags) {
    if (text.isEmpty() || text.length() > CHARS_MAX) {
      throw new IllegalArgumentException("it must have 1 to " + CHARS_MAX + " characters");
    }
    if (size(text) > SIZE_MAX) {
      throw new IllegalArgumentException("its repeats {n,m} multiply to too many; use * or +");
    }
    try {
      return Pattern.compile(text, flags);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
    }
  }

  /**
   * The same for a pattern that is tried on much text: a character may cost as many steps as the
   * pattern has, so large patterns are refused.
   */
  public static Pattern compileQuick(String text, int flags) {
    var pattern = compile(text, flags);
    if (pattern.programSize() > QUICK_STEPS_MAX) {
      throw new IllegalArgumentException(
          "a smaller pattern is needed: its repeats {n,m} make it slow; use * or +");
    }
    return pattern;
  }

  /** As if every repeat were nested in every other, which is the worst case. */
  private static long size(String text) {
    var size = (double) text.length();
    var repeats = REPEAT.matcher(text);
    while (repeats.find()) {
      var most = repeats.group(2);
      size *= Math.max(1, Long.parseLong(most == null || most.isEmpty() ? repeats.group(1) : most));
    }
    return (long) size;
  }
}
