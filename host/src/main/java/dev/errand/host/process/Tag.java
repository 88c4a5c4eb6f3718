package dev.errand.host.process;

import dev.errand.host.linux.ProcFs;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A mark that all descendants of an attempt inherit, whatever they do to session and environment: a
 * soft limit of real-time run time that no process would have by itself. It is so high, decades,
 * that it limits nothing. Its upper part is the mark of the journal that the task is in, so that
 * its daemon knows its own even when it knows the task no more.
 */
public final class Tag {
  private static final long BASE = 1L << 50;
  private static final int RANDOM_BITS = 40;

  /** All together fit into what JSON readers can hold as a number. */
  private static final int MARK_BITS = 12;

  private static final long MAX = 1L << (RANDOM_BITS + MARK_BITS);
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
    return of(ProcFs.realtimeLimit(pid));
  }

  /** The tag that a limit shows; 0 when it shows none. */
  static long of(OptionalLong limit) {
    var value = limit.orElse(0);
    return value > BASE && value <= BASE + MAX ? value - BASE : 0;
  }
}
