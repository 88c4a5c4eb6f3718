package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.log.LogDigest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Follows the logs of running tasks about once a second: digests new bytes and, where required,
 * syncs them. This leaves less to do when the task ends.
 */
final class Syncer implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The maximum length of one round; the logs it does not reach come next, or at their end. */
  private static final Duration ROUND_MAX = Duration.ofMillis(500);

  /** A log that gains more between two rounds is in flood, and is digested when that is over. */
  private static final long FLOOD_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 128 << 10;

  private final Map<LogDigest, Boolean> running = new ConcurrentHashMap<>();
  private final Time clock;
  private final Thread thread;

  private Syncer(Time clock) {
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("host-sync").unstarted(this::run);
  }

  static Syncer start(Time clock) {
    var syncer = new Syncer(clock);
    syncer.thread.start();
    return syncer;
  }

  void add(LogDigest log, boolean sync) {
    running.put(log, sync);
  }

  void remove(LogDigest log) {
    running.remove(log);
  }

  private void run() {
    // Tasks come first: what is left undone here is done at their end.
    OwnProcess.beNice();
    var buffer = new byte[BUFFER_BYTES];
    try {
      while (true) {
        clock.sleep(PAUSE);
        round(buffer);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void round(byte[] buffer) {
    var deadline = clock.ticks() + ROUND_MAX.toNanos();
    for (var entry : running.entrySet()) {
      if (clock.ticks() > deadline) {
        return;
      }
      try {
        follow(entry.getKey(), entry.getValue(), buffer);
      } catch (IOException | RuntimeException e) {
        System.err.println("host: following a log: " + e);
      }
    }
  }

  private static void follow(LogDigest log, boolean sync, byte[] buffer) throws IOException {
    if (!log.behind(sync)) {
      return;
    }
    // The digest would compete with the writer for a processor, and the end would come no sooner.
    if (log.gained() <= FLOOD_BYTES) {
      log.follow(buffer);
    }
    if (sync) {
      log.sync();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
