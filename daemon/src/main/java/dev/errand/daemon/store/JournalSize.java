package dev.errand.daemon.store;

/**
 * How much is recorded in a journal. Neither number ever shrinks, since a removed task leaves a
 * tombstone; a journal with less than before lost data.
 *
 * @param tasks accepted tasks, removed ones included
 * @param position of the last frame
 */
public record JournalSize(long tasks, long position) {
  public static final JournalSize NOTHING = new JournalSize(0, 0);
}
