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
 * Writes down in the home, now and then, how much its journal holds. The note may lag behind the
 * journal and is never ahead of what is on disk, or a crash of the machine would look like a loss:
 * so the position is the one of the look before, by when it was synced. Where nothing is synced,
 * only a clean stop notes it.
 */
final class JournalNote implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JournalNote.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Counting a very long journal takes at most one part in so many of a thread's time. */
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
    // Not a virtual one: a count of very many tasks would hold up what shares its carrier.
    this.worker = Thread.ofPlatform().daemon().name("journal-note").unstarted(this::run);
  }

  /** What is to be noted first. */
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
      // On a full disk, or while the daemon ends; the note before holds.
      log.debug("the home cannot be told how much its journal holds", e);
    }
  }

  private void note(JournalSize size) throws IOException {
    if (!size.equals(noted)) {
      JournalOwnership.note(home, homeId, size);
      noted = size;
    }
  }

  /** To be called while the journal is open, when nothing more is recorded. */
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
