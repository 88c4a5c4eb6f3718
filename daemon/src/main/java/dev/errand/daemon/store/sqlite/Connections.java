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

/** Opens connections to one database file, each with the settings of its purpose. */
final class Connections {
  /** Only a foreign program can hold the file; a backup that copies pages lets go in between. */
  private static final int BUSY_MS = 30_000;

  /** The write-ahead log goes back to this size after a burst. */
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

  /** Makes the file if there is none; the log and the index beside it get its mode from SQLite. */
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
      // COMMIT of its own. Told not to, it leaves the transactions to us; the one that it opens
      // with that is ended at once.
      connection.setAutoCommit(false);
      statement.executeUpdate("COMMIT");
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  /**
   * The log that commits are written to, to be synced from outside; none where they need not be.
   */
  Optional<FileChannel> log() throws IOException {
    return durability == Durability.FULL
        ? Optional.of(FileChannel.open(Path.of(file + "-wal"), StandardOpenOption.WRITE))
        : Optional.empty();
  }

  /** Also for a file that no journal is open on, whose log may have to be taken over first. */
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
    // Otherwise the driver asks for the last row id after each insert.
    config.setGetGeneratedKeys(false);
    return config;
  }

  /** A URI and not a plain path: in a path the driver would take all behind '?' for settings. */
  private String url() {
    return "jdbc:sqlite:file:" + file.toUri().getRawPath();
  }
}
