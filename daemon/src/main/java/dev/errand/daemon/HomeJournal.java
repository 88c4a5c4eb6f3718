package dev.errand.daemon;

import dev.errand.core.journal.Journal;
import dev.errand.core.time.Time;
import dev.errand.daemon.home.JournalOwnership;
import dev.errand.daemon.home.PrivateFile;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.JournalSize;
import dev.errand.daemon.store.Reserve;
import dev.errand.daemon.store.sqlite.JournalFile;
import dev.errand.daemon.store.sqlite.JournalHome;
import dev.errand.daemon.store.sqlite.SqliteJournal;
import dev.errand.host.log.LogFolders;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the journal of a home, if it belongs to the home and is complete, or if a person decided
 * so.
 */
final class HomeJournal {
  private static final Logger log = LoggerFactory.getLogger(HomeJournal.class);

  private final ErrandHome home;
  private final Durability durability;
  private final Consumer<Throwable> onFailure;
  private final Reserve reserve;
  private final StartMode mode;
  private final Time clock;

  /** Its size when it was opened. */
  private JournalSize found = JournalSize.NOTHING;

  HomeJournal(
      ErrandHome home,
      Durability durability,
      Consumer<Throwable> onFailure,
      Reserve reserve,
      StartMode mode,
      Time clock) {
    this.home = home;
    this.durability = durability;
    this.onFailure = onFailure;
    this.reserve = reserve;
    this.mode = mode;
    this.clock = clock;
  }

  Journal open() throws IOException {
    var ownership = JournalOwnership.of(home);
    if (mode == StartMode.NEW_JOURNAL) {
      JournalFile.moveAside(home.database(), clock.instant());
    } else if (JournalFile.isGone(home.database())) {
      ownership.checkNew(tasksWithLogs());
    }
    if (mode == StartMode.ADOPT) {
      // Hosts and processes of the other home have the id of their journal.
      try (var others = journal()) {
        others.home().renewId();
      }
    }
    var journal = journal();
    try {
      check(ownership, journal.home());
      return journal;
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  private void check(JournalOwnership ownership, JournalHome opened) throws IOException {
    found = opened.size();
    if (found.position() == 0 && mode != StartMode.NEW_JOURNAL) {
      ownership.checkNew(tasksWithLogs());
    }
    if (mode == StartMode.SERVE) {
      ownership.check(opened.mark().orElse(null), found);
    }
  }

  private long tasksWithLogs() throws IOException {
    return new LogFolders(home.logs()).all().size();
  }

  private SqliteJournal journal() {
    return SqliteJournal.open(home.database(), durability, onFailure, reserve::release, clock);
  }

  /**
   * Must be called when recovery is complete: a crash before that keeps the two homes apart. From
   * then on the size of the journal is recorded in the home.
   */
  AutoCloseable bind(Journal opened) throws IOException {
    if (!(opened instanceof SqliteJournal journal)) {
      return () -> {};
    }
    var ownership = JournalOwnership.of(home);
    var known = journal.home().mark().orElse(null);
    var mark = mode == StartMode.ADOPT ? ownership.adopted() : ownership.mark(known);
    if (!mark.equals(known)) {
      journal.home().bind(mark);
    }
    var size = journal.home().size();
    var tasksWithLogs = mode == StartMode.NEW_JOURNAL ? tasksWithLogs() : 0;
    var loss =
        ownership.loss(
            new JournalSize(size.tasks(), found.position()), tasksWithLogs, clock.instant());
    if (loss.isPresent()) {
      PrivateFile.write(home.loss(), loss.get().encode());
      log.warn("{}; see: errand recover", loss.get().sentence());
    }
    var note = new JournalNote(home, mark.id(), journal.home(), durability, clock);
    ownership.write(mark, note.begin(size));
    return note.start();
  }
}
