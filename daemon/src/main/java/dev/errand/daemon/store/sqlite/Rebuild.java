package dev.errand.daemon.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.errand.core.error.ErrandException;
import dev.errand.core.frame.Frame;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.TaskEvent;
import dev.errand.daemon.store.Durability;
import dev.errand.wire.json.FrameType;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what can be read of a damaged database into a new one, which replaces it; the damaged one
 * is kept under another name. All indexes are rebuilt. If nothing of a required table can be read,
 * a person must decide.
 */
final class Rebuild {
  private static final Logger log = LoggerFactory.getLogger(Rebuild.class);

  /** How often ranges of one table are halved; what cannot be read then is lost. */
  private static final int SPLITS_MAX = 100_000;

  private static final int ROW_BYTES_MIN = 10;

  /** Frames that contain a word; they are few, so only these are decoded. */
  private static final String FRAMES_WITH =
      "SELECT seq, text FROM main.frames WHERE stream_kind = 0 AND instr(text, ?) > 0";

  private static final String KEEP_ARTIFACT =
      "INSERT OR IGNORE INTO main.artifacts (sha256, task_id, bytes, at_ms) VALUES (?, ?, ?, ?)";

  /** The tables that are required; rows and artifact links can be rebuilt from frames. */
  private static final Set<String> ESSENTIAL = Set.of("meta", "frames");

  /** Offsets in the first page, from SQLite's file format. */
  private static final int PAGE_SIZE_AT = 16;

  private static final int PAGE_COUNT_AT = 28;
  private static final int COUNT_VALID_FOR_AT = 92;

  private final Path file;
  private final InstantSource clock;

  /** The new database, until it replaces the damaged one. */
  private final Path fresh;

  private final Path mended;
  private final Set<String> lossy = new HashSet<>();

  private Rebuild(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.fresh = Path.of(file + ".mending");
    this.mended = mended(file);
  }

  /** The path of a new database until it replaces the damaged one. */
  static Path mended(Path file) {
    return Path.of(file + ".mended");
  }

  /** Replaces the damaged database with the new one. */
  static void of(Path file, InstantSource clock) throws SQLException, IOException {
    var rebuild = new Rebuild(file, clock);
    try {
      rebuild.copy();
      Files.move(rebuild.fresh, rebuild.mended, ATOMIC_MOVE);
      rebuild.replace();
    } finally {
      for (var part : List.of("", "-wal", "-shm", "-journal")) {
        Files.deleteIfExists(Path.of(rebuild.fresh + part));
      }
      // If the damaged one is still in place, it stays in use and this one is outdated.
      if (Files.exists(file)) {
        Files.deleteIfExists(rebuild.mended);
      }
    }
  }

  /** Completes a replacement that a crash interrupted. */
  static void finish(Path file, InstantSource clock) throws IOException {
    var rebuild = new Rebuild(file, clock);
    if (Files.exists(rebuild.mended)) {
      rebuild.replace();
    }
  }

  private record Range(long from, long to) {}

  /** One table that both databases have. */
  private record Table(String name, String columns, List<String> keys, boolean hasRowid) {}

  private void copy() throws SQLException, IOException {
    letSizeCount();
    Files.deleteIfExists(fresh);
    var connections = new Connections(fresh, Durability.NORMAL);
    connections.createFile();
    try (var connection = connections.writer()) {
      Migrations.apply(connection);
      try (var sql = connection.createStatement()) {
        // Without a write-ahead log, so that the file is complete when it is closed.
        sql.execute("PRAGMA journal_mode = MEMORY");
        sql.execute("PRAGMA synchronous = OFF");
        sql.execute("ATTACH '" + file.toString().replace("'", "''") + "' AS old");
        Migrations.checkKnown(connection, "old");
        for (var table : tables(connection)) {
          copy(connection, table);
        }
        if (lossy.contains("artifacts")) {
          remakeArtifacts(connection);
        }
        keepPositions(sql);
      }
    }
    try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Artifact links of tasks are rebuilt from frames; links of uploads cannot be. */
  private static void remakeArtifacts(Connection connection) throws SQLException {
    try (var select = connection.prepareStatement(FRAMES_WITH);
        var insert = connection.prepareStatement(KEEP_ARTIFACT)) {
      select.setBytes(1, FrameType.ARTIFACT_WRITTEN.getBytes(UTF_8));
      try (var rows = select.executeQuery()) {
        while (rows.next()) {
          var frame = decoded(new EncodedFrame(rows.getLong(1), rows.getBytes(2)));
          if (frame.isPresent()) {
            keepArtifact(insert, frame.get());
          }
        }
      }
    }
  }

  private static Optional<Frame.OfTask> decoded(EncodedFrame frame) {
    try {
      return Optional.of(new JsonFrameCodec().decodeTask(frame));
    } catch (ErrandException | IllegalArgumentException e) {
      log.debug("frame {} is damaged; its artifact link is lost", frame.seq(), e);
      return Optional.empty();
    }
  }

  private static void keepArtifact(PreparedStatement insert, Frame.OfTask frame)
      throws SQLException {
    if (frame.event() instanceof TaskEvent.ArtifactWritten(var end) && end.sha256() != null) {
      insert.setString(1, end.sha256());
      insert.setString(2, frame.taskId().value());
      insert.setLong(3, end.bytesStored());
      insert.setLong(4, frame.head().timestampMs());
      insert.executeUpdate();
    }
  }

  /**
   * A truncated file has fewer pages than its header says, and SQLite would read none of them. If
   * the header is of another version of the file, SQLite uses the file size.
   */
  private void letSizeCount() throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var head = ByteBuffer.allocate(COUNT_VALID_FOR_AT + Integer.BYTES);
      if (channel.read(head, 0) < head.capacity()) {
        return;
      }
      var pages = head.getInt(PAGE_COUNT_AT) & 0xffff_ffffL;
      var pageSize = head.getShort(PAGE_SIZE_AT) & 0xffff;
      if (pages * pageSize != channel.size()) {
        var other = ByteBuffer.allocate(Integer.BYTES);
        other.putInt(0, ~head.getInt(COUNT_VALID_FOR_AT));
        channel.write(other, COUNT_VALID_FOR_AT);
      }
    }
  }

  private static List<Table> tables(Connection connection) throws SQLException {
    var tables = new ArrayList<Table>();
    for (var name :
        texts(
            connection,
            "SELECT name FROM old.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " AND name IN (SELECT name FROM main.sqlite_schema)")) {
      var columns =
          texts(
              connection,
              "SELECT name FROM pragma_table_info('"
                  + name
                  + "', 'old') WHERE name IN"
                  + " (SELECT name FROM pragma_table_info('"
                  + name
                  + "', 'main'))");
      var keys =
          texts(
              connection,
              "SELECT name FROM pragma_table_info('"
                  + name
                  + "', 'main') WHERE pk > 0 ORDER BY pk");
      var hasRowid =
          texts(
                  connection,
                  "SELECT name FROM pragma_table_list('"
                      + name
                      + "') WHERE wr = 0 AND"
                      + " schema = 'main'")
              .contains(name);
      tables.add(new Table(name, String.join(", ", columns), keys, hasRowid));
    }
    return tables;
  }

  private void copy(Connection connection, Table table) throws SQLException, IOException {
    var lost = table.hasRowid() ? copyRanges(connection, table) : copyEnds(connection, table);
    if (!lost.isEmpty()) {
      if (ESSENTIAL.contains(table.name()) && count(connection, table) == 0) {
        throw new IOException("nothing of its table %s can be read".formatted(table.name()));
      }
      log.warn("the journal lost rows of the table {}: {}", table.name(), lost);
      lossy.add(table.name());
    }
  }

  private static long count(Connection connection, Table table) throws SQLException {
    try (var statement = connection.createStatement();
        var answer = statement.executeQuery("SELECT count(*) FROM main." + table.name())) {
      return answer.getLong(1);
    }
  }

  /** An unreadable range is halved until the loss is as small as possible. */
  private String copyRanges(Connection connection, Table table) throws SQLException, IOException {
    var splits = 0;
    var lost = new ArrayDeque<Range>();
    var due = new ArrayDeque<Range>();
    due.push(new Range(0, greatestRowid(connection, table)));
    var insert =
        "INSERT OR IGNORE INTO main.%1$s (%2$s) SELECT %2$s FROM old.%1$s NOT INDEXED WHERE rowid BETWEEN ? AND ?"
            .formatted(table.name(), table.columns());
    while (!due.isEmpty()) {
      var range = due.pop();
      if (tryInsert(connection, insert, range)) {
        continue;
      }
      splits++;
      if (range.from() == range.to() || splits > SPLITS_MAX) {
        add(lost, range);
        continue;
      }
      var middle = range.from() + (range.to() - range.from()) / 2;
      due.push(new Range(middle + 1, range.to()));
      due.push(new Range(range.from(), middle));
    }
    return lost.isEmpty() ? "" : lost.toString();
  }

  /** Ranges come in order, so adjacent ones are merged. */
  private static void add(ArrayDeque<Range> lost, Range range) {
    var last = lost.peekLast();
    if (last != null && last.to() + 1 == range.from()) {
      lost.removeLast();
      lost.add(new Range(last.from(), range.to()));
    } else {
      lost.add(range);
    }
  }

  private static boolean tryInsert(Connection connection, String insert, Range range)
      throws SQLException {
    try (var statement = connection.prepareStatement(insert)) {
      statement.setLong(1, range.from());
      statement.setLong(2, range.to());
      statement.executeUpdate();
      return true;
    } catch (SQLException e) {
      if (DamageState.isShownBy(e)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * From the table itself, or if its last page is damaged from an index or the sequence table; at
   * worst the maximum that fits in the file.
   */
  private long greatestRowid(Connection connection, Table table) throws SQLException, IOException {
    var name = table.name();
    var questions = new ArrayList<>(List.of("SELECT max(rowid) FROM old." + name + " NOT INDEXED"));
    questions.add("SELECT seq FROM old.sqlite_sequence WHERE name = '" + name + "'");
    for (var index :
        texts(
            connection,
            "SELECT name FROM pragma_index_list('" + name + "', 'main') WHERE partial = 0")) {
      questions.add("SELECT max(rowid) FROM old." + name + " INDEXED BY " + index);
    }
    var greatest = -1L;
    for (var question : questions) {
      try (var statement = connection.createStatement();
          var answer = statement.executeQuery(question)) {
        if (answer.next()) {
          greatest = Math.max(greatest, answer.getLong(1));
        }
      } catch (SQLException e) {
        log.debug("{}", question, e);
      }
    }
    return greatest < 0 ? Files.size(file) / ROW_BYTES_MIN : greatest;
  }

  /** Reads from the start up to the damage, and from the end back to it. */
  private static String copyEnds(Connection connection, Table table) throws SQLException {
    var ascending = String.join(", ", table.keys());
    if (copyOrdered(connection, table, ascending)) {
      return "";
    }
    copyOrdered(connection, table, String.join(" DESC, ", table.keys()) + " DESC");
    return "some";
  }

  private static boolean copyOrdered(Connection connection, Table table, String order)
      throws SQLException {
    var marks = table.columns().replaceAll("[a-z0-9_]+", "?");
    try (var select = connection.createStatement();
        var insert =
            connection.prepareStatement(
                "INSERT OR IGNORE INTO main.%s (%s) VALUES (%s)"
                    .formatted(table.name(), table.columns(), marks));
        var rows =
            select.executeQuery(
                "SELECT %s FROM old.%s ORDER BY %s"
                    .formatted(table.columns(), table.name(), order))) {
      var width = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (var i = 1; i <= width; i++) {
          insert.setObject(i, rows.getObject(i));
        }
        insert.executeUpdate();
      }
      return true;
    } catch (SQLException e) {
      if (DamageState.isShownBy(e)) {
        return false;
      }
      throw e;
    }
  }

  /** A position must never be reused, even if the last frames were removed or lost. */
  private static void keepPositions(Statement sql) throws SQLException {
    try {
      sql.executeUpdate(
          "INSERT INTO main.sqlite_sequence (name, seq) SELECT name, 0 FROM old.sqlite_sequence"
              + " WHERE name NOT IN (SELECT name FROM main.sqlite_sequence)");
      sql.executeUpdate(
          "UPDATE main.sqlite_sequence SET seq = max(seq, coalesce((SELECT o.seq FROM"
              + " old.sqlite_sequence AS o WHERE o.name = sqlite_sequence.name), 0))");
    } catch (SQLException e) {
      if (!DamageState.isShownBy(e)) {
        throw e;
      }
    }
  }

  private static List<String> texts(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var answer = statement.executeQuery(query)) {
      var texts = new ArrayList<String>();
      while (answer.next()) {
        texts.add(answer.getString(1));
      }
      return texts;
    }
  }

  private void replace() throws IOException {
    var aside = JournalFile.moveDamaged(file, clock.instant());
    Files.move(mended, file, ATOMIC_MOVE);
    JournalFile.sync(file);
    log.warn(
        "the journal was damaged and has been repaired; the damaged file is kept as {}", aside);
  }
}
