package dev.errand.host.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Counts line ends, eight bytes at a time: a loop over single bytes took longer than the digest.
 */
final class LineCounter {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long LINE_ENDS = 0x0A0A0A0A0A0A0A0AL;
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  private LineCounter() {}

  static long count(byte[] buffer, int count) {
    var lines = 0L;
    var i = 0;
    for (; i + Long.BYTES <= count; i += Long.BYTES) {
      // A byte that is a line end is 0 now; the sum carries into the high bit of every other byte.
      var differing = (long) LONGS.get(buffer, i) ^ LINE_ENDS;
      var others = ((differing & LOW_BITS) + LOW_BITS) | differing | LOW_BITS;
      lines += Long.bitCount(~others);
    }
    for (; i < count; i++) {
      lines += buffer[i] == '\n' ? 1 : 0;
    }
    return lines;
  }
}
