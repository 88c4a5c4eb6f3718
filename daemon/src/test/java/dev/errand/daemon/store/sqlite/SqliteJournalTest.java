package dev.errand.daemon.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Journal;
import dev.errand.daemon.store.Durability;
import dev.errand.testkit.DurableJournalClaims;
import dev.errand.testkit.JournalSuite;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

final class SqliteJournalTest extends JournalSuite implements DurableJournalClaims {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  @TempDir private Path folder;

  @Override
  protected Journal open() {
    return SqliteJournal.open(
        folder.resolve("errand.db"), Durability.FULL, failure::set, new SystemTime());
  }

  @AfterEach
  void no_failure_was_told() {
    assertThat(failure.get()).isNull();
  }
}
