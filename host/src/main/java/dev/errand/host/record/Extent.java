package dev.errand.host.record;

/**
 * A range of stream offsets whose bytes are stored: {@code from} is included, {@code to} is not.
 */
public record Extent(long from, long to) {
  public long bytes() {
    return to - from;
  }
}
