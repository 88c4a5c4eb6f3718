package dev.errand.daemon.config;

import com.google.re2j.Pattern;
import dev.errand.core.policy.LinePattern;
import dev.errand.daemon.pattern.BoundedPattern;

/** An RE2 pattern, which runs in linear time: lines come from callers that may be malicious. */
final class Re2LinePattern implements LinePattern {
  private final String text;
  private final Pattern whole;
  private final Pattern part;

  private Re2LinePattern(String text) {
    this.text = text;
    this.whole = BoundedPattern.compile(text, 0);
    // A line break must not bypass a deny rule.
    this.part = BoundedPattern.compile(text, Pattern.DOTALL);
  }

  /** Fails with IllegalArgumentException, which says why. */
  static Re2LinePattern of(String text) {
    return new Re2LinePattern(text);
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
