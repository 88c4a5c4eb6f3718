package dev.errand.daemon.store.memory;

import dev.errand.core.journal.Journal;
import dev.errand.testkit.JournalSuite;

final class MemoryJournalTest extends JournalSuite {

  @Override
  protected Journal open() {
    return new MemoryJournal();
  }
}
