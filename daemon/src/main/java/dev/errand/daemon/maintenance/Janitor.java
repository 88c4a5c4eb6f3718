package dev.errand.daemon.maintenance;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cleans up every now and then. */
public final class Janitor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Janitor.class);
  private static final Duration PAUSE = Duration.ofHours(1);

  private final Cleanup cleanup;
  private @Nullable Thread worker;

  public Janitor(Cleanup cleanup) {
    this.cleanup = cleanup;
  }

  public void start() {
    worker = Thread.ofVirtual().name("janitor").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        runOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runOnce() {
    try {
      var done = cleanup.run();
      log.info("cleaned up: {}", done);
    } catch (RuntimeException e) {
      log.error("cleaning up failed; it is tried again in an hour", e);
    }
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
