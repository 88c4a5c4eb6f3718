package dev.errand.daemon.store;

/** What an acknowledged commit survives. */
public enum Durability {
  /** A crash of the machine: the disk has confirmed the bytes. */
  FULL,
  /**
   * A crash of the daemon; a crash of the machine may lose the last moments, but leaves a
   * consistent journal.
   */
  NORMAL
}
