package dev.errand.daemon.output;

/**
 * A range of a log that is not kept. {@code line} is the number of the first line behind it: how
 * many lines went with the range nobody knows, so the count goes on as if there were none.
 */
public record Gap(long line, long from, long to) {}
