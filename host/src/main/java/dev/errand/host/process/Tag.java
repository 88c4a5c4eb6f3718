package dev.errand.host.process;

import dev.errand.host.linux.ProcFs;
import java.security.SecureRandom;
import java.util.OptionalLong;

/**
 * A mark that all descendants of an attempt inherit, whatever they do to session and environment: a
 * soft limit of real-time run time that no process would have by itself. It is so high, decades,
 * that it limits nothing.
 */
public final class Tag {
  private static final long BASE = 1L << 50;
  private static final int BITS = 40;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Tag() {}

  static long random() {
    return 1 + (RANDOM.nextLong() >>> (Long.SIZE - BITS));
  }

  /** The limit that shows the tag. */
  static long limit(long tag) {
    return BASE + tag;
  }

  /** The tag that a process has; 0 when it has none, or is gone. */
  public static long ofProcess(long pid) {
    return of(ProcFs.realtimeLimit(pid));
  }

  /** The tag that a limit shows; 0 when it shows none. */
  static long of(OptionalLong limit) {
    var value = limit.orElse(0);
    return value > BASE && value <= BASE + (1L << BITS) ? value - BASE : 0;
  }
}
