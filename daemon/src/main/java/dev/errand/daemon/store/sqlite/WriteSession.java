package dev.errand.daemon.store.sqlite;

import dev.errand.core.journal.Fence;
import dev.errand.wire.fault.Failpoint;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The writer's connection and its transactions; for one thread at a time. */
final class WriteSession implements AutoCloseable {
  private static final String META =
      """
      SELECT epoch, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'frames'), 0)
      FROM meta
      """;

  private static final String OWNER = "SELECT owner FROM meta";

  private final Statements statements;
  private final CommitStep commitStep;
  private final Syncs syncs;
  private Meta meta = new Meta(new Fence("", 0), 0);

  /** The one step that decides whether a transaction is true; tests put a failing one here. */
  interface CommitStep {
    void run(PreparedStatement commit) throws SQLException;
  }

  private record Meta(Fence fence, long lastPosition) {}

  WriteSession(Statements statements, CommitStep commitStep, Syncs syncs) {
    this.statements = statements;
    this.commitStep = commitStep;
    this.syncs = syncs;
  }

  Statements statements() {
    return statements;
  }

  /** Who may write, as this transaction sees it. */
  Fence fence() {
    return meta.fence();
  }

  /** Begins a transaction whose commit waits for the disk, unless all in it can be lazy. */
  void begin(boolean lazily) throws SQLException {
    syncs.choose(lazily);
    begin();
  }

  /** Takes the write lock first, so what is read here is true until the commit. */
  private void begin() throws SQLException {
    statements.update("BEGIN IMMEDIATE");
    meta = readMeta();
  }

  /** Does the jobs inside the transaction; false where one alone was refused, to be rolled back. */
  boolean attempt(List<WriteJob<?>> group) throws SQLException {
    if (group.size() == 1) {
      return group.getFirst().attempt(this);
    }
    for (var job : group) {
      attempt(job);
    }
    return true;
  }

  /** Where the job is refused, only its own changes go. */
  private void attempt(WriteJob<?> job) throws SQLException {
    statements.update("SAVEPOINT job");
    if (!job.attempt(this)) {
      statements.update("ROLLBACK TO job");
    }
    statements.update("RELEASE job");
  }

  Fence takeOver(String owner) throws SQLException {
    var next = new Fence(owner, meta.fence().epoch() + 1);
    statements.update("UPDATE meta SET epoch = ?, owner = ?", next.epoch(), owner);
    meta = new Meta(next, meta.lastPosition());
    return next;
  }

  void commit() throws SQLException {
    Failpoint.JOURNAL_COMMIT.pass();
    commitStep.run(statements.of("COMMIT"));
    syncs.committed();
    Failpoint.JOURNAL_COMMITTED.pass();
  }

  /** Ends a transaction in which nothing failed and nothing is to remain. */
  void rollback() throws SQLException {
    statements.update("ROLLBACK");
  }

  /** Undoes the transaction after a failure; throws unless it is certain that nothing is left. */
  void undo() throws SQLException {
    var before = meta.lastPosition();
    statements.forget();
    try {
      statements.update("ROLLBACK");
    } catch (SQLException _) {
      // SQLite may have rolled back by itself; the next BEGIN fails if it has not.
      statements.forget();
    }
    begin();
    statements.update("ROLLBACK");
    if (meta.lastPosition() != before) {
      throw new SQLException("frames are left of a transaction that was rolled back");
    }
  }

  private Meta readMeta() throws SQLException {
    return statements
        .first(META, row -> new Meta(fence(row.getLong(1)), row.getLong(2)))
        .orElseThrow(() -> new SQLException("the journal has lost its meta row"));
  }

  /** An epoch has one owner, who need not be read in each transaction. */
  private Fence fence(long epoch) throws SQLException {
    if (epoch == meta.fence().epoch()) {
      return meta.fence();
    }
    var owner = statements.first(OWNER, row -> row.getString(1)).orElse("");
    return new Fence(owner, epoch);
  }

  @Override
  public void close() throws SQLException {
    syncs.close();
    statements.close();
  }
}
