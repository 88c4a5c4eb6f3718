package dev.errand.daemon.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Cursor;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.HomeMark;
import dev.errand.daemon.store.JournalSize;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal knows its home, and who it is. */
final class JournalHomeTest {
  @TempDir private Path folder;

  @Test
  void the_home_is_known_at_the_next_start() {
    var mark = new HomeMark("home", 1, 2, "boot");
    try (var journal = open()) {
      assertThat(journal.home().mark()).isEmpty();
      assertThat(journal.home().size()).isEqualTo(JournalSize.NOTHING);
      journal.home().bind(mark);
    }

    try (var journal = open()) {
      assertThat(journal.home().mark()).contains(mark);
    }
  }

  @Test
  void a_journal_with_another_id_takes_the_cursors_that_it_gave() {
    String before;
    Cursor cursor;
    try (var journal = open()) {
      before = journal.id();
      cursor = journal.head();
      journal.home().renewId();
    }

    try (var journal = open()) {
      assertThat(journal.id()).isNotEqualTo(before).hasSameSizeAs(before);
      assertThat(journal.readAll(cursor, 10).entries()).isEmpty();
    }
  }

  private SqliteJournal open() {
    return SqliteJournal.open(
        folder.resolve("errand.db"), Durability.NORMAL, _ -> {}, new SystemTime());
  }
}
