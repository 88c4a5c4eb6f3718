package dev.errand.daemon;

import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.daemon.home.JournalOwnership;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.JournalSize;
import dev.errand.daemon.store.sqlite.JournalHome;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the size of the journal in the home, at intervals. The recorded size may be older than
 * the journal but never ahead of the disk, or a crash of the machine would look like a loss: so it
 * records the position of the previous check, which is synced by then. Without syncs, only a clean
 * stop records it.
 */
final class JournalNote implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JournalNote.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Counting uses at most this fraction of a thread's time. */
  private static final int SHARE = 100;

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  private final ErrandHome home;
  private final String homeId;
  private final JournalHome journal;
  private final boolean synced;
  private final Time clock;
  private final Thread worker;
  private final Signal ended = new Signal();
  private JournalSize noted = JournalSize.NOTHING;
  private JournalSize last = JournalSize.NOTHING;

  JournalNote(
      ErrandHome home, String homeId, JournalHome journal, Durability durability, Time clock) {
    this.home = home;
    this.homeId = homeId;
    this.journal = journal;
    this.clock = clock;
    this.synced = durability == Durability.FULL;
    // Not a virtual thread: a long count would block other threads on the same carrier.
    this.worker = Thread.ofPlatform().daemon().name("journal-note").unstarted(this::run);
  }

  /** The first size to record. */
  JournalSize begin(JournalSize size) {
    last = size;
    noted = new JournalSize(size.tasks(), synced ? size.position() : 0);
    return noted;
  }

  JournalNote start() {
    worker.start();
    return this;
  }

  private void run() {
    try {
      var pause = PAUSE;
      while (true) {
        clock.sleep(pause);
        var began = clock.ticks();
        look();
        var took = Duration.ofNanos(clock.ticks() - began).multipliedBy(SHARE);
        pause = took.compareTo(PAUSE) > 0 ? took : PAUSE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.raise();
    }
  }

  private void look() {
    try {
      var size = journal.position() == last.position() ? last : journal.size();
      note(new JournalSize(size.tasks(), synced ? last.position() : 0));
      last = size;
    } catch (IOException | RuntimeException e) {
      // On a full disk, or while the daemon stops; the earlier size stays.
      log.debug("the size of the journal cannot be recorded in the home", e);
    }
  }

  private void note(JournalSize size) throws IOException {
    if (!size.equals(noted)) {
      JournalOwnership.note(home, homeId, size);
      noted = size;
    }
  }

  /** Must be called while the journal is open, after the last commit. */
  @Override
  public void close() throws IOException {
    worker.interrupt();
    try {
      if (clock.await(ended, CLOSE_MAX)) {
        note(journal.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
