package dev.errand.daemon.verb;

import com.google.re2j.Pattern;
import dev.errand.daemon.pattern.BoundedPattern;

/** An RE2 pattern for lines, small enough to be matched against much text. */
public final class SearchPattern {
  public static final int CHARS_MAX = BoundedPattern.CHARS_MAX;

  private final Pattern pattern;

  private SearchPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Throws IllegalArgumentException with the reason. */
  public static SearchPattern of(String text) {
    return new SearchPattern(BoundedPattern.compileQuick(text, 0));
  }

  Pattern pattern() {
    return pattern;
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }
}
