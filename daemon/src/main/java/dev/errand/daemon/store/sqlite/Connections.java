package dev.errand.daemon.store.sqlite;

import dev.errand.daemon.store.Durability;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TempStore;

/** Opens connections to one database file, each with settings for its purpose. */
final class Connections {
  /** Only another program can hold a lock; a page-wise backup releases it in between. */
  private static final int BUSY_MS = 30_000;

  /** The write-ahead log is truncated to this size after a burst. */
  private static final int WAL_BYTES_KEPT = 64 << 20;

  /** Each checkpoint syncs the database file, so few large ones cost less than many small. */
  private static final int WAL_PAGES_BEFORE_CHECKPOINT = 4_000;

  private static final int WRITER_CACHE_KIB = 32 << 10;
  private static final int READER_CACHE_KIB = 4 << 10;

  private final Path file;
  private final Durability durability;

  Connections(Path file, Durability durability) {
    this.file = file.toAbsolutePath();
    this.durability = durability;
  }

  /** Creates the file if it is missing; SQLite gives the log and its index the same mode. */
  void createFile() throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try {
      Files.createFile(file, mode);
    } catch (FileAlreadyExistsException _) {
      // Every start but the first.
    }
  }

  Connection writer() throws SQLException {
    var config = config(WRITER_CACHE_KIB);
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(
        switch (durability) {
          case FULL -> SynchronousMode.FULL;
          case NORMAL -> SynchronousMode.NORMAL;
        });
    config.setTempStore(TempStore.MEMORY);
    config.setJournalSizeLimit(WAL_BYTES_KEPT);
    var connection = config.createConnection(url());
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("PRAGMA wal_autocheckpoint = " + WAL_PAGES_BEFORE_CHECKPOINT);
      // The driver follows each statement of an auto-committing connection with a BEGIN and a
      // COMMIT of its own. With auto-commit off, transactions are explicit; the one that the driver
      // opens with this is ended at once.
      connection.setAutoCommit(false);
      statement.executeUpdate("COMMIT");
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  /** The log of commits, for syncs by the caller; null if no syncs are needed. */
  Optional<FileChannel> log() throws IOException {
    return durability == Durability.FULL
        ? Optional.of(FileChannel.open(Path.of(file + "-wal"), StandardOpenOption.WRITE))
        : Optional.empty();
  }

  /** Also for a file without an open journal, whose log may need recovery first. */
  Connection inspector() throws SQLException {
    return config(READER_CACHE_KIB).createConnection(url());
  }

  Connection reader() throws SQLException {
    var config = config(READER_CACHE_KIB);
    config.setReadOnly(true);
    return config.createConnection(url());
  }

  private static SQLiteConfig config(int cacheKib) {
    var config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MS);
    // SQLite takes a negative size as KiB and a positive one as pages.
    config.setCacheSize(-cacheKib);
    // Otherwise the driver reads the last row id after each insert.
    config.setGetGeneratedKeys(false);
    return config;
  }

  /** A URI and not a plain path: in a path the driver would take all behind '?' for settings. */
  private String url() {
    return "jdbc:sqlite:file:" + file.toUri().getRawPath();
  }
}
