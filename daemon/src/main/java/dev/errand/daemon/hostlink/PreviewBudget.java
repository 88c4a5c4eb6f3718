package dev.errand.daemon.hostlink;

/**
 * How much of one task's output its frames may show. At a reader's pace every frame shows the start
 * of its range in full. Of a burst of output only some frames do: their texts would come to weigh
 * as much as the log, which has all of it in any case.
 *
 * <p>Time is that of the host's records, so the same records always lead to the same frames.
 */
final class PreviewBudget {
  private static final long BURST_BYTES = 256 * 1024;
  private static final long BYTES_PER_SECOND = 512 * 1024;

  /** What a control character takes as JSON. */
  private static final int ESCAPED_BYTES = 6;

  private long leftBytes = BURST_BYTES;
  private long atMs;

  /** How much of a range may be shown at this time, at most the given number of bytes. */
  int allowed(long nowMs, int bytes) {
    var passedMs = Math.max(0, nowMs - atMs);
    atMs = Math.max(atMs, nowMs);
    // A pause longer than this fills it anyway, and must not overflow.
    var earned = Math.min(passedMs, 1_000) * BYTES_PER_SECOND / 1_000;
    leftBytes = Math.min(BURST_BYTES, leftBytes + earned);
    return leftBytes > 0 ? bytes : 0;
  }

  /** Takes what showing these bytes costs. */
  void spend(byte[] shown) {
    for (var it : shown) {
      leftBytes -= it >= 0 && it < ' ' && it != '\n' ? ESCAPED_BYTES : 1;
    }
  }
}
