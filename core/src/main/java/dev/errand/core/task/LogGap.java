package dev.errand.core.task;

/**
 * A range of a log that is not kept. {@code line} is the number of the first line after it: how
 * many lines the range had is not known, so the count continues as if it had none.
 */
public record LogGap(long line, long from, long to) {}
