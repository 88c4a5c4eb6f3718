package dev.errand.daemon.store;

/**
 * How much is recorded in a journal. Neither number ever becomes smaller, since a task that is
 * removed leaves a tombstone; a journal with less than before lost something.
 *
 * @param tasks that were ever accepted, also those that were removed since
 * @param position of the last frame
 */
public record JournalSize(long tasks, long position) {
  public static final JournalSize NOTHING = new JournalSize(0, 0);
}
