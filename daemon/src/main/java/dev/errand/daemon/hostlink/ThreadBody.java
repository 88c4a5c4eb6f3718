package dev.errand.daemon.hostlink;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/** What a thread of the pool does. */
interface ThreadBody {
  void run() throws IOException, InterruptedException;

  /** The same for what nobody else would begin again: after a bug it does so itself. */
  default ThreadBody again(Time clock, Duration pause, BooleanSupplier closed) {
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
          LoggerFactory.getLogger(ThreadBody.class).error("a bug; it is begun again", bug);
          clock.sleep(pause);
        }
      }
    };
  }
}
