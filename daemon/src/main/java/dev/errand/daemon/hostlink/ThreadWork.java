package dev.errand.daemon.hostlink;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/** The work of a thread of the pool. */
interface ThreadWork {
  void run() throws IOException, InterruptedException;

  /** The same, started again after a bug, for work that would otherwise stop for good. */
  default ThreadWork repeated(Time clock, Duration pause, BooleanSupplier closed) {
    return () -> {
      var done = false;
      while (!done) {
        try {
          run();
          done = true;
        } catch (RuntimeException bug) {
          if (closed.getAsBoolean()) {
            return;
          }
          LoggerFactory.getLogger(ThreadWork.class).error("a bug; the work is started again", bug);
          clock.sleep(pause);
        }
      }
    };
  }
}
