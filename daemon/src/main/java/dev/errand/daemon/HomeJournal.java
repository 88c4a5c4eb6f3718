package dev.errand.daemon;

import dev.errand.core.journal.Journal;
import dev.errand.daemon.home.Belonging;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.Reserve;
import dev.errand.daemon.store.sqlite.SqliteJournal;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.util.function.Consumer;

/** The journal that lies in a home: opened if it is that home's own, or if a person said so. */
final class HomeJournal {
  private final ErrandHome home;
  private final Durability durability;
  private final Consumer<Throwable> onFailure;
  private final Reserve reserve;
  private final StartMode mode;

  HomeJournal(
      ErrandHome home,
      Durability durability,
      Consumer<Throwable> onFailure,
      Reserve reserve,
      StartMode mode) {
    this.home = home;
    this.durability = durability;
    this.onFailure = onFailure;
    this.reserve = reserve;
    this.mode = mode;
  }

  Journal open() throws IOException {
    if (mode == StartMode.ADOPT) {
      // Hosts and processes of the other home are known by the id of their journal.
      try (var others = journal()) {
        others.home().renewId();
      }
    }
    var journal = journal();
    try {
      if (mode == StartMode.SERVE) {
        Belonging.of(home).check(journal.home().mark().orElse(null), journal.home().isNew());
      }
      return journal;
    } catch (IOException e) {
      journal.close();
      throw e;
    }
  }

  private SqliteJournal journal() {
    return SqliteJournal.open(home.database(), durability, onFailure, reserve::release);
  }

  /**
   * To be called when everything is settled that must not be settled as the home's own: a crash
   * before leaves the two apart.
   */
  void bind(Journal opened) throws IOException {
    if (opened instanceof SqliteJournal journal) {
      var belonging = Belonging.of(home);
      var known = journal.home().mark().orElse(null);
      var mark = mode == StartMode.ADOPT ? belonging.adopted() : belonging.mark(known);
      if (!mark.equals(known)) {
        journal.home().bind(mark);
      }
      belonging.write(mark);
    }
  }
}
