package dev.errand.host.record;

/** A range of stream offsets whose bytes are stored: from the first up to, not including, to. */
public record Extent(long from, long to) {
  public long bytes() {
    return to - from;
  }
}
