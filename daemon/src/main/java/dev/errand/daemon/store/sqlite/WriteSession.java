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

  /** The commit step, which tests replace with a failing one. */
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

  /** The owner of the journal in this transaction. */
  Fence fence() {
    return meta.fence();
  }

  /** Begins a transaction whose commit waits for the disk, unless all its jobs are lazy. */
  void begin(boolean lazily) throws SQLException {
    syncs.choose(lazily);
    begin();
  }

  /** Takes the write lock first, so reads stay valid until the commit. */
  private void begin() throws SQLException {
    statements.update("BEGIN IMMEDIATE");
    meta = readMeta();
  }

  /**
   * Runs the jobs inside the transaction; false if a single job was refused, which must be rolled
   * back.
   */
  boolean attempt(List<WriteJob<?>> group) throws SQLException {
    if (group.size() == 1) {
      return group.getFirst().attempt(this);
    }
    for (var job : group) {
      attempt(job);
    }
    return true;
  }

  /** If the job is refused, only its own changes are rolled back. */
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

  /** Rolls back a transaction without a failure. */
  void rollback() throws SQLException {
    statements.update("ROLLBACK");
  }

  /** Rolls back after a failure; throws unless the rollback is certain. */
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
      throw new SQLException("frames of a rolled back transaction remain");
    }
  }

  private Meta readMeta() throws SQLException {
    return statements
        .first(META, row -> new Meta(fence(row.getLong(1)), row.getLong(2)))
        .orElseThrow(() -> new SQLException("the journal has lost its meta row"));
  }

  /** An epoch has one owner, which need not be read in each transaction. */
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
