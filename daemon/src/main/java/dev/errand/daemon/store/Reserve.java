package dev.errand.daemon.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that reserves disk space. It is deleted when the disk is full, so that running tasks can
 * still be cancelled and their ends recorded; no new task starts until it exists again.
 */
public final class Reserve {
  private static final Logger log = LoggerFactory.getLogger(Reserve.class);

  /** The frames of some thousand ends. */
  private static final int BYTES = 8 << 20;

  private final Path file;
  private boolean held;

  public Reserve(Path file) {
    this.file = file;
  }

  /** Whether the reserve exists from an earlier daemon; does not create it. */
  public synchronized boolean holdIfMade() {
    held = held || isWhole();
    return held;
  }

  /** Creates the reserve if it is missing; returns whether it exists. */
  public synchronized boolean hold() {
    if (holdIfMade()) {
      return true;
    }
    try {
      make();
      held = true;
    } catch (IOException e) {
      log.warn("no room for the reserve {}: {}", file, e.getMessage());
      delete();
    }
    return held;
  }

  private boolean isWhole() {
    try {
      return Files.size(file) == BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  /** Filled with random bytes, since some file systems store zeros without using space. */
  private void make() throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    var bytes = new byte[BYTES];
    new SplittableRandom(BYTES).nextBytes(bytes);
    Files.write(file, bytes);
  }

  /** Deletes the reserve; false if it was deleted before. */
  public synchronized boolean release() {
    if (!held) {
      return false;
    }
    held = false;
    log.warn("the disk is full; deleting the reserve, so that tasks can end");
    return delete();
  }

  private boolean delete() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("the reserve {} cannot be deleted: {}", file, e.getMessage());
      return false;
    }
  }
}
