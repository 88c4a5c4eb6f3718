package dev.errand.host.log;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Keeps a reserve of free disk space that output cannot use: the record file needs it, and one task
 * with much output must not stop all others.
 */
final class DiskReserve {
  /** The free space that output must leave. */
  private static final long LEFT_FREE_BYTES = 16L << 20;

  /** How many bytes may be stored, and how much time may pass, between two checks. */
  private static final long LOOK_AFTER_BYTES = 1 << 20;

  private static final long LOOK_AFTER_NANOS = Duration.ofMillis(50).toNanos();

  private final Path folder;
  private final FileStore store;
  private final Time clock;
  private long sinceLookBytes = LOOK_AFTER_BYTES;
  private long lookedNanos;
  private boolean isThere = true;

  DiskReserve(Path folder, Time clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    this.lookedNanos = clock.ticks();
    this.store = Files.getFileStore(folder);
  }

  /** Throws as a full disk would if these bytes would use the reserve. */
  synchronized void take(long bytes) throws IOException {
    sinceLookBytes += bytes;
    var now = clock.ticks();
    if (sinceLookBytes >= LOOK_AFTER_BYTES || now - lookedNanos >= LOOK_AFTER_NANOS) {
      sinceLookBytes = 0;
      lookedNanos = now;
      isThere = store.getUsableSpace() >= LEFT_FREE_BYTES;
    }
    if (!isThere) {
      throw new IOException("the disk of " + folder + " has no space left above its reserve");
    }
  }
}
