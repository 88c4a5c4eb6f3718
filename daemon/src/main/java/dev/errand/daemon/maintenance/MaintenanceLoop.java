package dev.errand.daemon.maintenance;

import dev.errand.core.time.Time;
import dev.errand.daemon.store.Damages;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every hour runs the clean-up and reads a part of the artifacts; once a day checks the journal.
 */
public final class MaintenanceLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MaintenanceLoop.class);
  private static final Duration PAUSE = Duration.ofHours(1);

  /** How many pauses lie between two checks of the whole journal; the first comes after one. */
  private static final int INSPECT_EVERY = 24;

  private final Cleanup cleanup;
  private final ArtifactScrub scrub;
  private final Damages damages;
  private final Time clock;
  private @Nullable Thread worker;

  public MaintenanceLoop(Cleanup cleanup, ArtifactScrub scrub, Damages damages, Time clock) {
    this.cleanup = cleanup;
    this.scrub = scrub;
    this.damages = damages;
    this.clock = clock;
  }

  public void start() {
    // Not a virtual thread: a check of a large journal would block other threads on the same
    // carrier.
    worker = Thread.ofPlatform().daemon().name("maintenance").start(this::run);
  }

  private void run() {
    try {
      for (var turn = 0L; ; turn++) {
        clock.sleep(PAUSE);
        runOnce();
        scrub();
        if (turn % INSPECT_EVERY == 0) {
          inspect();
        }
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
      log.error("the clean-up failed; it runs again in an hour", e);
    }
  }

  private void scrub() {
    try {
      scrub.step();
    } catch (RuntimeException e) {
      log.error("the artifacts cannot be checked", e);
    }
  }

  private void inspect() {
    try {
      damages.inspect();
    } catch (RuntimeException e) {
      log.error("the journal cannot be checked", e);
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
