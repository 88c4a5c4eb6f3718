package dev.errand.core.task;

/** Where a search in a log begins. */
public sealed interface SearchFrom {

  /** With the line of this number; the first has number 1. */
  record Line(long number) implements SearchFrom {}

  record Offset(long bytes) implements SearchFrom {}
}
