package dev.errand.daemon.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that does nothing but take room. When the disk is full it is given up, so that what runs
 * can still be cancelled and come to a recorded end; nothing new is begun until it is there again.
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

  /** Whether the reserve is there from an earlier daemon; makes nothing. */
  public synchronized boolean holdIfMade() {
    held = held || isWhole();
    return held;
  }

  /** Whether the reserve is there, after trying to make it if it is not. */
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

  /** Chance fills it, since some file systems store zeros in no room at all. */
  private void make() throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    var bytes = new byte[BYTES];
    new SplittableRandom(BYTES).nextBytes(bytes);
    Files.write(file, bytes);
  }

  /** Gives the room back to whoever needs it now; false if it was given up before. */
  public synchronized boolean release() {
    if (!held) {
      return false;
    }
    held = false;
    log.warn("the disk is full; giving up the reserve, so that tasks can come to their end");
    return delete();
  }

  private boolean delete() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("the reserve {} cannot be given up: {}", file, e.getMessage());
      return false;
    }
  }
}
