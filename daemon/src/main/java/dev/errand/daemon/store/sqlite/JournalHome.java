package dev.errand.daemon.store.sqlite;

import dev.errand.daemon.store.Cursors;
import dev.errand.daemon.store.HomeMark;
import dev.errand.daemon.store.JournalSize;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The home that a journal belongs to, as stored in the journal. */
public final class JournalHome {
  private static final String MARK =
      "SELECT home_id, home_device, home_inode, home_boot FROM meta WHERE home_id IS NOT NULL";

  private static final String PUT =
      "UPDATE meta SET home_id = ?, home_device = ?, home_inode = ?, home_boot = ?";

  private static final String RENEW_ID =
      "UPDATE meta SET journal_id = substr(journal_id, 1, ?) || ?";

  private static final String TASKS =
      "SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM tombstones)";

  private final ReadPool readers;
  private final Writer writer;

  JournalHome(ReadPool readers, Writer writer) {
    this.readers = readers;
    this.writer = writer;
  }

  /** The home in which it was last opened; empty before the first start. */
  public Optional<HomeMark> mark() {
    return readers.read(JournalHome::mark);
  }

  static Optional<HomeMark> mark(Statements sql) throws SQLException {
    return sql.first(
        MARK,
        row -> new HomeMark(row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)));
  }

  public void bind(HomeMark mark) {
    writer.run(
        SqliteJournal.SMALL_BYTES,
        session ->
            session.statements().update(PUT, mark.id(), mark.device(), mark.inode(), mark.boot()));
  }

  /**
   * Gives the journal a new id from the next open on. Cursors stay valid, since clients and
   * webhooks keep them.
   */
  public void renewId() {
    var rest = UUID.randomUUID().toString().substring(Cursors.NAME_LENGTH);
    writer.run(
        SqliteJournal.SMALL_BYTES,
        session -> session.statements().update(RENEW_ID, Cursors.NAME_LENGTH, rest));
  }

  /** The last position; 0 for an empty journal. Fast, unlike the number of tasks. */
  public long position() {
    return readers.read(FrameQueries::lastPosition);
  }

  public JournalSize size() {
    return readers.read(JournalHome::size);
  }

  static JournalSize size(Statements sql) throws SQLException {
    return new JournalSize(sql.number(TASKS), FrameQueries.lastPosition(sql));
  }
}
