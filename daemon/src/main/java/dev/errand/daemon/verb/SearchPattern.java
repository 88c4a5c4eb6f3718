package dev.errand.daemon.verb;

import com.google.re2j.Pattern;
import dev.errand.daemon.pattern.BoundedPattern;

/** An RE2 pattern for lines, small enough to be tried on much text. */
public final class SearchPattern {
  public static final int CHARS_MAX = BoundedPattern.CHARS_MAX;

  private final Pattern pattern;

  private SearchPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Fails with IllegalArgumentException, which says why. */
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
