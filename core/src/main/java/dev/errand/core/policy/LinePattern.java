package dev.errand.core.policy;

/** Tells lines that a rule speaks of from others; what patterns look like is not said here. */
public interface LinePattern {

  /** Whether the pattern covers the line from its first to its last character. */
  boolean isAllOf(String line);

  /** Whether the pattern is found anywhere in the line. */
  boolean occursIn(String line);
}
