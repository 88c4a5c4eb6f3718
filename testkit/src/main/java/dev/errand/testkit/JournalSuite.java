package dev.errand.testkit;

import dev.errand.core.journal.Journal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** All that every journal promises; a journal's own test extends this and says how it is opened. */
public abstract class JournalSuite
    implements JournalCommitClaims,
        JournalFenceClaims,
        JournalInboxClaims,
        JournalKeepingClaims,
        JournalModelClaims,
        JournalOrderClaims,
        JournalRetentionClaims,
        JournalSessionClaims,
        JournalViewClaims {

  private final SequentialIds ids = new SequentialIds();
  private @Nullable Journal journal;

  /** A new journal; a durable one shows what an earlier one of the same test has stored. */
  protected abstract Journal open() throws Exception;

  @Override
  public final Journal journal() {
    if (journal == null) {
      journal = opened();
    }
    return Objects.requireNonNull(journal);
  }

  @Override
  public final SequentialIds ids() {
    return ids;
  }

  /** Closes the journal and opens it again, as a restart does. */
  public final Journal reopened() {
    journal().close();
    journal = opened();
    return journal;
  }

  @AfterEach
  final void closeJournal() {
    if (journal != null) {
      journal.close();
    }
  }

  private Journal opened() {
    try {
      return open();
    } catch (Exception e) {
      throw new AssertionError("the journal does not open", e);
    }
  }
}
