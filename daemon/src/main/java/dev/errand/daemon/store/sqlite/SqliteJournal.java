package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.store.Cursors;
import dev.errand.daemon.store.Damages;
import dev.errand.daemon.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal in one SQLite file. Changes go to the single {@link Writer}; reads use their own
 * connections and never wait for it.
 *
 * <p>The driver unpacks its native library into {@code org.sqlite.tmpdir} at each start and removes
 * it at a clean exit; with {@code org.sqlite.lib.path} it loads an unpacked one. Both are system
 * properties that must be set before the first journal is opened.
 */
public final class SqliteJournal implements Journal, Damages {
  private static final Logger log = LoggerFactory.getLogger(SqliteJournal.class);
  private static final int READERS = 4;

  /** How many replies are deleted in one transaction, so that commits do not wait long. */
  private static final int FORGET_PAGE = 500;

  /** The assumed size of a small job in a group. */
  static final long SMALL_BYTES = 1_000;

  private static final String MAKE_META =
      "INSERT INTO meta (one, journal_id, epoch, owner) VALUES (1, ?, 0, '') ON CONFLICT DO"
          + " NOTHING";

  /** Finds damage in the data that a start needs before anything uses it. */
  private static final String READ_LIVE =
      """
      SELECT coalesce(sum(frames.sum + tasks.sum), 0) FROM tasks INDEXED BY tasks_live CROSS JOIN frames
      WHERE active = 1 AND stream_kind = 0 AND stream_id = tasks.id
      """;

  private final String id;
  private final DamageState damage;
  private final boolean suspected;
  private final Cursors cursors;
  private final Writer writer;
  private final ReadPool readers;
  private final IntegrityCheck inspection;

  private SqliteJournal(
      String id,
      DamageState damage,
      boolean suspected,
      Writer writer,
      ReadPool readers,
      IntegrityCheck inspection) {
    this.id = id;
    this.damage = damage;
    this.suspected = suspected;
    this.cursors = new Cursors(id);
    this.writer = writer;
    this.readers = readers;
    this.inspection = inspection;
  }

  /**
   * Opens the journal in this file, which is created if missing. {@code onFailure} is called at
   * most once, from any thread, when the journal has failed and the daemon must end.
   */
  public static SqliteJournal open(
      Path file, Durability durability, Consumer<Throwable> onFailure, Time clock) {
    return open(file, durability, onFailure, () -> false, clock);
  }

  /** The same; when the disk is full, {@code moreRoom} may free space and return true. */
  public static SqliteJournal open(
      Path file,
      Durability durability,
      Consumer<Throwable> onFailure,
      BooleanSupplier moreRoom,
      Time clock) {
    return open(file, durability, onFailure, moreRoom, PreparedStatement::executeUpdate, clock);
  }

  static SqliteJournal open(
      Path file,
      Durability durability,
      Consumer<Throwable> onFailure,
      BooleanSupplier moreRoom,
      WriteSession.CommitStep commitStep,
      Time clock) {
    var damage = new DamageState(file);
    var steps =
        new Steps(damage, new JournalFailure(onFailure, damage), moreRoom, commitStep, clock);
    var connections = new Connections(file, durability);
    try {
      Rebuild.finish(file, clock);
      var suspected = damage.isSuspected();
      if (suspected && Files.exists(file)) {
        mend(file, connections, clock);
      }
      return open(connections, steps, suspected);
    } catch (SQLException e) {
      if (!DamageState.isShownBy(e)) {
        throw cannotOpen(file, e, "");
      }
      return mended(file, connections, steps, e);
    } catch (IOException e) {
      throw cannotOpen(file, e, "");
    }
  }

  /** If it cannot be repaired now, for example on a full disk, it is used as it is. */
  private static void mend(Path file, Connections connections, Time clock) throws IOException {
    try {
      if (!isSound(connections, clock)) {
        Rebuild.of(file, clock);
      }
    } catch (SQLException | IOException e) {
      log.warn("the journal is damaged and cannot be repaired now: {}", e.getMessage());
      if (!Files.exists(file)) {
        throw new IOException(
            "the repaired file could not replace the damaged one: " + e.getMessage(), e);
      }
    }
  }

  private static boolean isSound(Connections connections, Time clock) throws SQLException {
    try (var inspection = new IntegrityCheck(connections, clock)) {
      return inspection.firstFault().isEmpty();
    }
  }

  /** The readable rest may be saved; if not, a person must decide. */
  private static SqliteJournal mended(
      Path file, Connections connections, Steps steps, SQLException failure) {
    try {
      // The mark stays until everything is rebuilt.
      steps.damage().suspect();
      Rebuild.of(file, steps.clock());
      return open(connections, steps, true);
    } catch (SQLException | IOException e) {
      failure.addSuppressed(e);
      var advice =
          "; the file is damaged, and its readable part cannot be saved (%s). See errand recover and docs/operating/recover.md"
              .formatted(e.getMessage());
      throw cannotOpen(file, failure, advice);
    }
  }

  private static ErrandException cannotOpen(Path file, Exception e, String advice) {
    return new ErrandException(
        ErrorCode.JOURNAL_FAILED,
        "cannot open the journal " + file + ": " + e.getMessage() + advice,
        e);
  }

  /** How a journal handles failures, and its clock. */
  private record Steps(
      DamageState damage,
      JournalFailure health,
      BooleanSupplier moreRoom,
      WriteSession.CommitStep commitStep,
      Time clock) {}

  private static SqliteJournal open(Connections connections, Steps steps, boolean suspected)
      throws SQLException, IOException {
    var opened = new ArrayList<Statements>();
    var whole = false;
    try {
      var journal = open(connections, steps, suspected, opened);
      whole = true;
      return journal;
    } finally {
      if (!whole) {
        closeAll(opened);
      }
    }
  }

  private static SqliteJournal open(
      Connections connections, Steps steps, boolean suspected, List<Statements> opened)
      throws SQLException, IOException {
    connections.createFile();
    var connection = connections.writer();
    var sql = new Statements(connection);
    opened.add(sql);
    Migrations.apply(connection);
    sql.update(MAKE_META, UUID.randomUUID().toString());
    steps.damage().load(sql);
    sql.number(READ_LIVE);
    var id = sql.first("SELECT journal_id FROM meta", row -> row.getString(1)).orElseThrow();
    for (var i = 0; i < READERS; i++) {
      opened.add(new Statements(connections.reader()));
    }
    var readers = new ReadPool(opened.subList(1, opened.size()), steps.health());
    var syncs = Syncs.start(connections, connection, steps.health(), steps.clock());
    var session = new WriteSession(sql, steps.commitStep(), syncs);
    var writer = new Writer(session, steps.health(), steps.moreRoom());
    var inspection = new IntegrityCheck(connections, steps.clock());
    return new SqliteJournal(id, steps.damage(), suspected, writer, readers, inspection);
  }

  private static void closeAll(List<Statements> opened) {
    for (var connection : opened) {
      try {
        connection.close();
      } catch (SQLException _) {
        // The failure to open is reported.
      }
    }
  }

  @Override
  public String id() {
    return id;
  }

  /** The home that it belongs to. */
  public JournalHome home() {
    return new JournalHome(readers, writer);
  }

  @Override
  public Fence takeOver(String owner) {
    return writer.run(SMALL_BYTES, session -> session.takeOver(owner));
  }

  @Override
  public void commit(Batch batch) {
    writer.run(
        new WriteJob<>(
            BatchSql.bytes(batch), batch.lazy(), session -> BatchSql.write(session, batch)));
    batch.removals().forEach(it -> damage.forget(StreamKey.of(it.taskId())));
  }

  @Override
  public List<EncodedFrame> read(StreamKey stream, long afterSeq, int limit) {
    checkLimit(limit);
    var frames = readers.read(sql -> FrameQueries.read(sql, stream, afterSeq, limit));
    note(stream, frames);
    return frames;
  }

  /** Stored, so that it is known without another read; but no read waits for free disk space. */
  private void note(StreamKey stream, List<EncodedFrame> frames) {
    if (!damage.noteIn(stream, frames)) {
      return;
    }
    try {
      writer.run(SMALL_BYTES, session -> damage.put(session.statements(), stream));
    } catch (ErrandException e) {
      log.warn("the damage of {} cannot be recorded: {}", stream, e.getMessage());
    }
  }

  @Override
  public OptionalLong damagedFrom(StreamKey stream) {
    return damage.from(stream);
  }

  @Override
  public int damagedStreams() {
    return damage.streams();
  }

  @Override
  public boolean isSuspect() {
    return damage.isSuspected();
  }

  @Override
  public void inspect() {
    try {
      var fault = inspection.firstFault();
      if (fault.isPresent()) {
        log.error("the journal is damaged; errand restart repairs what can be repaired: {}", fault);
        damage.suspect();
      }
    } catch (SQLException e) {
      log.warn("the journal could not be checked: {}", e.getMessage());
    }
  }

  @Override
  public void recovered() {
    if (suspected) {
      damage.acquit();
    }
  }

  @Override
  public List<TaskId> withoutRow() {
    return suspected ? readers.read(TaskQueries::withoutRow) : List.of();
  }

  @Override
  public long lastSeq(StreamKey stream) {
    return readers.read(sql -> FrameQueries.lastSeq(sql, stream));
  }

  @Override
  public Page readAll(Cursor after, int limit) {
    checkLimit(limit);
    var page = readers.read(sql -> FrameQueries.readAll(sql, after, limit, cursors));
    for (var entry : page.entries()) {
      if (entry.frame().damaged()) {
        note(entry.stream(), List.of(entry.frame()));
      }
    }
    return page;
  }

  @Override
  public Cursor head() {
    return cursors.at(readers.read(FrameQueries::lastPosition));
  }

  @Override
  public Optional<TaskRow> row(TaskId taskId) {
    return readers.read(sql -> TaskQueries.row(sql, taskId));
  }

  @Override
  public List<TaskRow> rows(TaskQuery query) {
    return readers.read(sql -> TaskQueries.rows(sql, query));
  }

  @Override
  public boolean descends(TaskId taskId, SessionId sessionId) {
    return readers.read(sql -> TaskQueries.descends(sql, taskId, sessionId));
  }

  @Override
  public List<TaskId> idsWithPrefix(String prefix, int limit) {
    checkLimit(limit);
    return readers.read(sql -> TaskQueries.idsWithPrefix(sql, prefix, limit));
  }

  @Override
  public List<TaskRow> readBefore(long beforeMs, int limit) {
    checkLimit(limit);
    return readers.read(sql -> TaskQueries.readBefore(sql, beforeMs, limit));
  }

  @Override
  public List<TaskRow> oldestEnded(int limit) {
    checkLimit(limit);
    return readers.read(sql -> TaskQueries.oldestEnded(sql, limit));
  }

  @Override
  public long bytesStored() {
    return readers.read(TaskQueries::bytesStored);
  }

  @Override
  public List<SessionRow> sessions(@Nullable SessionId after, int limit) {
    checkLimit(limit);
    return readers.read(sql -> SessionQueries.sessions(sql, after, limit));
  }

  @Override
  public Optional<SessionRow> session(SessionId sessionId) {
    return readers.read(sql -> SessionQueries.session(sql, sessionId));
  }

  @Override
  public List<SessionEnd> endedSessions() {
    return readers.read(SessionQueries::ended);
  }

  @Override
  public Optional<Tombstone> tombstone(TaskId taskId) {
    return readers.read(sql -> RetainedQueries.tombstone(sql, taskId));
  }

  @Override
  public Optional<RememberedReply> reply(IdempotencyKey key) {
    return readers.read(sql -> RetainedQueries.reply(sql, key));
  }

  /** Found by a reader and deleted page by page, so that the writer does not stall. */
  @Override
  public void forgetReplies(long beforeMs) {
    var after = RetainedQueries.OldReply.NONE;
    while (true) {
      var behind = after;
      var page =
          readers.read(sql -> RetainedQueries.oldReplies(sql, behind, beforeMs, FORGET_PAGE));
      if (page.isEmpty()) {
        return;
      }
      writer.run(SMALL_BYTES, session -> RetainedQueries.forget(session.statements(), page));
      after = page.getLast();
    }
  }

  @Override
  public List<ArtifactLink> artifactLinks(String sha256) {
    return readers.read(sql -> RetainedQueries.links(sql, sha256));
  }

  @Override
  public List<String> forgetUploads(long beforeMs) {
    return writer.run(
        SMALL_BYTES, session -> RetainedQueries.forgetUploads(session.statements(), beforeMs));
  }

  @Override
  public List<NoticeEntry> notices(NoticeQuery query) {
    return readers.read(sql -> InboxQueries.notices(sql, query, cursors));
  }

  @Override
  public Cursor lastNotice() {
    return cursors.at(readers.read(InboxQueries::lastPosition));
  }

  @Override
  public long unacknowledged(SessionId sessionId) {
    return readers.read(sql -> InboxQueries.count(sql, sessionId));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, List<String> ids) {
    return readers.read(sql -> InboxQueries.waiting(sql, sessionId, ids));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, TaskId taskId) {
    return readers.read(sql -> InboxQueries.waiting(sql, sessionId, taskId));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, Cursor upTo) {
    return readers.read(sql -> InboxQueries.waiting(sql, sessionId, upTo, cursors));
  }

  @Override
  public Optional<Memo> memo(SessionId sessionId, String name) {
    return readers.read(sql -> InboxQueries.memo(sql, sessionId, name));
  }

  @Override
  public List<Memo> memos(String name) {
    return readers.read(sql -> InboxQueries.memos(sql, name));
  }

  /** The writer is closed last: its connection then checkpoints and deletes the log. */
  @Override
  public void close() {
    inspection.close();
    readers.close();
    writer.close();
  }

  /** SQLite takes a negative limit as no limit. */
  private static void checkLimit(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
  }
}
