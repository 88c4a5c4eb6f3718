package dev.errand.host.process;

import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.ResourceLimit;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A mark that all descendants of an attempt inherit, even if they change session and environment: a
 * soft limit of real-time run time that no process would have by itself. It is so high, decades,
 * that it limits nothing. Its upper part is the mark of the journal that contains the task, so that
 * the daemon of that journal recognizes its processes even when the task is removed.
 *
 * <p>A process may set another soft limit and so lose its tag. The hard limit, which the host
 * lowers for itself at its start, can be lowered further but never raised again (only by root with
 * CAP_SYS_RESOURCE): it still shows that the process comes from a host, though not from which task.
 */
public final class Tag {
  private static final long BASE = 1L << 50;
  private static final int RANDOM_BITS = 40;

  /** All values are exact numbers for JSON readers. */
  private static final int MARK_BITS = 12;

  private static final long MAX = 1L << (RANDOM_BITS + MARK_BITS);

  /** Above all tags, with space below it for hosts that are started inside tasks of others. */
  private static final long HARD = BASE + 2 * MAX;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Tag() {}

  /** A new tag for a task of the journal that has this mark. */
  static long random(long mark) {
    return mark << RANDOM_BITS | RANDOM.nextLong() >>> (Long.SIZE - RANDOM_BITS);
  }

  /** The mark in the tags of all tasks of a journal, and rarely in those of another; never 0. */
  public static long mark(String journalId) {
    var sum = new CRC32C();
    sum.update(journalId.getBytes(StandardCharsets.UTF_8));
    return 1 + sum.getValue() % ((1L << MARK_BITS) - 1);
  }

  /** The mark in a tag; 0 in a tag from a host that had no marks yet. */
  public static long markOf(long tag) {
    return tag >>> RANDOM_BITS;
  }

  /** The limit that encodes the tag. */
  static long limit(long tag) {
    return BASE + tag;
  }

  /** The tag of a process; 0 if it has none, or is gone. */
  public static long ofProcess(long pid) {
    return of(ProcFs.realtimeLimits(pid).soft());
  }

  /**
   * Lowers our own hard limit, for this process and all that it starts, and drops the tag of a task
   * that started this process: the host is not part of it.
   */
  public static void lowerHardLimit() throws KernelException {
    var hard = ResourceLimit.REALTIME.get().hard();
    var lower = hard == ResourceLimit.UNLIMITED ? HARD : Math.max(0, hard - 1);
    ResourceLimit.REALTIME.set(new ResourceLimit.Values(lower, lower));
  }

  /** The hard limit of this process; hosts that it starts have a lower one. */
  public static long ownHardLimit() {
    try {
      return ResourceLimit.REALTIME.get().hard();
    } catch (KernelException e) {
      throw new IllegalStateException("the kernel does not tell our own limits", e);
    }
  }

  /**
   * Whether a process has a lower hard limit than this one, as every process of a host has; false
   * if its tag shows a host of another journal.
   */
  public static boolean comesFromHost(long pid, long ownHardLimit, long ownMark) {
    var limits = ProcFs.realtimeLimits(pid);
    var tag = of(limits.soft());
    var foreign = tag != 0 && markOf(tag) != ownMark;
    return !foreign
        && limits.hard().isPresent()
        && (ownHardLimit == ResourceLimit.UNLIMITED || limits.hard().getAsLong() < ownHardLimit);
  }

  /** The tag that a limit encodes; 0 if it encodes none. */
  static long of(OptionalLong limit) {
    var value = limit.orElse(0);
    return value > BASE && value <= BASE + MAX ? value - BASE : 0;
  }
}
