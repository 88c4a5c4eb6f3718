package dev.errand.daemon.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.errand.core.policy.LinePattern;

/**
 * A pattern that takes time in proportion to the line, whatever stands in either: lines come from
 * callers who may mean harm. Compiling is not bounded by itself, so length and repeats are.
 */
final class Re2LinePattern implements LinePattern {
  private static final int CHARS_MAX = 1_000;

  /** Of the pattern's length times its repeats: about what it takes in memory once compiled. */
  private static final long SIZE_MAX = 100_000;

  private static final java.util.regex.Pattern REPEAT =
      java.util.regex.Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?\\}");

  private final String text;
  private final Pattern whole;
  private final Pattern part;

  private Re2LinePattern(String text) {
    this.text = text;
    this.whole = Pattern.compile(text);
    // Nobody passes a rule that forbids by breaking the line in two.
    this.part = Pattern.compile(text, Pattern.DOTALL);
  }

  /** Fails with IllegalArgumentException, which says why. */
  static Re2LinePattern of(String text) {
    if (text.isEmpty() || text.length() > CHARS_MAX) {
      throw new IllegalArgumentException("it must have 1 to " + CHARS_MAX + " characters");
    }
    if (size(text) > SIZE_MAX) {
      throw new IllegalArgumentException("its repeats {n,m} multiply to too many; use * or +");
    }
    try {
      return new Re2LinePattern(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
    }
  }

  /** As if every repeat stood inside every other, which is the worst that can be. */
  private static long size(String text) {
    var size = (double) text.length();
    var repeats = REPEAT.matcher(text);
    while (repeats.find()) {
      var most = repeats.group(2);
      size *= Math.max(1, Long.parseLong(most == null || most.isEmpty() ? repeats.group(1) : most));
    }
    return (long) size;
  }

  @Override
  public boolean isAllOf(String line) {
    return whole.matches(line);
  }

  @Override
  public boolean occursIn(String line) {
    return part.matcher(line).find();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Re2LinePattern it && it.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
