package dev.errand.host.log;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Keeps output from taking the last room of the disk: the record of what happens needs some, and
 * one flood must not stop all the rest.
 */
final class DiskRoom {
  /** What output leaves free. */
  private static final long LEFT_FREE_BYTES = 16L << 20;

  /** How much may be stored, and how long it may take, between two looks. */
  private static final long LOOK_AFTER_BYTES = 1 << 20;

  private static final long LOOK_AFTER_NANOS = Duration.ofMillis(50).toNanos();

  private final Path folder;
  private final FileStore store;
  private final Time clock;
  private long sinceLookBytes = LOOK_AFTER_BYTES;
  private long lookedNanos;
  private boolean isThere = true;

  DiskRoom(Path folder, Time clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    this.lookedNanos = clock.ticks();
    this.store = Files.getFileStore(folder);
  }

  /** Fails as a full disk would, where these bytes would take what must stay free. */
  synchronized void take(long bytes) throws IOException {
    sinceLookBytes += bytes;
    var now = clock.ticks();
    if (sinceLookBytes >= LOOK_AFTER_BYTES || now - lookedNanos >= LOOK_AFTER_NANOS) {
      sinceLookBytes = 0;
      lookedNanos = now;
      isThere = store.getUsableSpace() >= LEFT_FREE_BYTES;
    }
    if (!isThere) {
      throw new IOException("the disk of " + folder + " is full but for what must stay free");
    }
  }
}
