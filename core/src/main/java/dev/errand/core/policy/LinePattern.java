package dev.errand.core.policy;

/** Matches lines against the pattern of a rule; the syntax is defined by the implementation. */
public interface LinePattern {

  /** Whether the pattern covers the line from its first to its last character. */
  boolean isAllOf(String line);

  /** Whether the pattern is found anywhere in the line. */
  boolean occursIn(String line);
}
