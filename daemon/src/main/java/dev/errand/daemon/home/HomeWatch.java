package dev.errand.daemon.home;

import dev.errand.core.time.Time;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;

/**
 * Checks regularly whether the home is still the folder that this daemon locked: a daemon with a
 * deleted home would write to files without names.
 */
public final class HomeWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path lock;
  private final Object lockKey;
  private final Runnable onGone;
  private final Time clock;
  private final Thread thread;

  private HomeWatch(Path lock, Object lockKey, Runnable onGone, Time clock) {
    this.lock = lock;
    this.lockKey = lockKey;
    this.onGone = onGone;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("home-watch").unstarted(this::run);
  }

  /** Must be called while the home's lock is held; reports once that the home is gone. */
  public static HomeWatch start(ErrandHome home, Runnable onGone, Time clock) throws IOException {
    var watch = new HomeWatch(home.daemonLock(), key(home.daemonLock()), onGone, clock);
    watch.thread.start();
    return watch;
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private void run() {
    try {
      while (!isGone()) {
        clock.sleep(PAUSE);
      }
      onGone.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isGone() {
    try {
      return !Objects.equals(key(lock), lockKey);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      // A failed check proves nothing.
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
