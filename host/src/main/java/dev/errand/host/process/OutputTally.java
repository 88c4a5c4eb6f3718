package dev.errand.host.process;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Divides a stream of bytes into ranges for the records: each with its CRC-32C, bounded while in
 * the head, and if possible not ending inside a character.
 *
 * <p>The ranges cover the stream without gaps. Up to three bytes at the end that may become a
 * character are held back until they do, or until the caller ends the range.
 */
final class OutputTally {
  static final int RANGE_BYTES_MAX = 64 << 10;

  /** In a flood, where a record for each 64 KiB would cost more than everything else. */
  static final int FLOOD_RANGE_BYTES_MAX = 1 << 20;

  private final long headEnd;
  private final Sink sink;
  private final CRC32C crc = new CRC32C();
  private long recorded;
  private long counted;
  private byte[] held = new byte[0];
  private int rangeBytesMax = RANGE_BYTES_MAX;

  /** Receives the ranges. */
  interface Sink {
    void range(long offset, long bytes, int crc32c);
  }

  OutputTally(long start, long headEnd, Sink sink) {
    this.headEnd = headEnd;
    this.sink = sink;
    this.recorded = start;
    this.counted = start;
  }

  /** The end of the last range. */
  long recorded() {
    return recorded;
  }

  boolean pastHead() {
    return recorded >= headEnd;
  }

  /** There is something to record that does not end inside a character. */
  boolean hasWhole() {
    return counted > recorded;
  }

  boolean hasHeld() {
    return held.length > 0;
  }

  /** The offset of the first byte that is held back. */
  long heldFrom() {
    return counted;
  }

  /** Sets whether the next bytes are part of a flood. */
  void flood(boolean rages) {
    rangeBytesMax = rages ? FLOOD_RANGE_BYTES_MAX : RANGE_BYTES_MAX;
  }

  /** Counts the next bytes of the stream. */
  void add(ByteBuffer bytes) {
    if (room() <= 0) {
      cut();
    }
    var all = new Joined(held, bytes);
    var at = 0;
    while (all.length() - at > room()) {
      var end = at + (int) room();
      end -= IncompleteCharacter.bytesBefore(all::at, at, end);
      count(all, at, end);
      cut();
      at = end;
    }
    var end = all.length() - IncompleteCharacter.bytesBefore(all::at, at, all.length());
    count(all, at, end);
    held = all.copy(end);
  }

  private long room() {
    return pastHead() ? Long.MAX_VALUE : rangeBytesMax - (counted - recorded);
  }

  private void count(Joined all, int from, int to) {
    all.update(crc, from, to);
    counted += to - from;
  }

  /** Ends the range here, if there is one. */
  void cut() {
    if (!hasWhole()) {
      return;
    }
    var offset = recorded;
    recorded = counted;
    var value = (int) crc.getValue();
    crc.reset();
    sink.range(offset, recorded - offset, value);
  }

  /** Ends the range after the last byte, whatever it is. */
  void cutAll() {
    crc.update(held);
    counted += held.length;
    held = new byte[0];
    cut();
  }

  /** Continues after bytes that are not stored. */
  void skipTo(long offset) {
    cutAll();
    recorded = offset;
    counted = offset;
  }

  /** The held bytes and the new ones as one sequence, without copying the new ones. */
  private static final class Joined {
    private final byte[] first;
    private final ByteBuffer second;

    private Joined(byte[] first, ByteBuffer second) {
      this.first = first;
      this.second = second;
    }

    int length() {
      return first.length + second.remaining();
    }

    int at(int index) {
      return index < first.length
          ? first[index]
          : second.get(second.position() + index - first.length);
    }

    void update(CRC32C crc, int from, int to) {
      if (from < first.length) {
        crc.update(first, from, Math.min(to, first.length) - from);
      }
      var start = Math.max(0, from - first.length);
      var bytes = to - first.length - start;
      if (bytes > 0) {
        crc.update(second.slice(second.position() + start, bytes));
      }
    }

    byte[] copy(int from) {
      var copy = new byte[length() - from];
      for (var i = 0; i < copy.length; i++) {
        copy[i] = (byte) at(from + i);
      }
      return copy;
    }
  }
}
