package dev.errand.host.process;

import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.ResourceLimit;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A mark that all descendants of an attempt inherit, whatever they do to session and environment: a
 * soft limit of real-time run time that no process would have by itself. It is so high, decades,
 * that it limits nothing. Its upper part is the mark of the journal that the task is in, so that
 * its daemon knows its own even when it knows the task no more.
 *
 * <p>A process may give itself another soft limit and so lose its tag. The hard limit, which the
 * host lowers for itself at its start, it can lower further but never raise again (only root with
 * CAP_SYS_RESOURCE can): it still shows that the process comes from a host, though not from which
 * task.
 */
public final class Tag {
  private static final long BASE = 1L << 50;
  private static final int RANDOM_BITS = 40;

  /** All together fit into what JSON readers can hold as a number. */
  private static final int MARK_BITS = 12;

  private static final long MAX = 1L << (RANDOM_BITS + MARK_BITS);

  /** Above all tags, with room below it for hosts that are started inside tasks of others. */
  private static final long HARD = BASE + 2 * MAX;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Tag() {}

  /** A new one for a task of the journal that has this mark. */
  static long random(long mark) {
    return mark << RANDOM_BITS | RANDOM.nextLong() >>> (Long.SIZE - RANDOM_BITS);
  }

  /** What stands in the tags of all tasks of a journal, and seldom in those of another; never 0. */
  public static long mark(String journalId) {
    var sum = new CRC32C();
    sum.update(journalId.getBytes(StandardCharsets.UTF_8));
    return 1 + sum.getValue() % ((1L << MARK_BITS) - 1);
  }

  /** The mark in a tag; 0 in those that hosts of before there were marks have given. */
  public static long markOf(long tag) {
    return tag >>> RANDOM_BITS;
  }

  /** The limit that shows the tag. */
  static long limit(long tag) {
    return BASE + tag;
  }

  /** The tag that a process has; 0 when it has none, or is gone. */
  public static long ofProcess(long pid) {
    return of(ProcFs.realtimeLimits(pid).soft());
  }

  /**
   * Lowers our own hard limit, for us and for all that we start, and drops the tag of a task that
   * started us: we must not be taken for a part of it.
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
   * Whether a process has a lower hard limit than this one, as all have that come from a host; not
   * where its tag says that it comes from a host of another journal.
   */
  public static boolean comesFromHost(long pid, long ownHardLimit, long ownMark) {
    var limits = ProcFs.realtimeLimits(pid);
    var tag = of(limits.soft());
    var foreign = tag != 0 && markOf(tag) != ownMark;
    return !foreign
        && limits.hard().isPresent()
        && (ownHardLimit == ResourceLimit.UNLIMITED || limits.hard().getAsLong() < ownHardLimit);
  }

  /** The tag that a limit shows; 0 when it shows none. */
  static long of(OptionalLong limit) {
    var value = limit.orElse(0);
    return value > BASE && value <= BASE + MAX ? value - BASE : 0;
  }
}
