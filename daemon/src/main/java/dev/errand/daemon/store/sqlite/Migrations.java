package dev.errand.daemon.store.sqlite;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Migrates a database to the current schema, step by step. The number of steps done is the {@code
 * user_version} of the file and changes in the transaction of its step.
 */
final class Migrations {
  /** In order; a released step is never changed. */
  private static final List<String> STEPS =
      List.of(
          "0001-journal.sql",
          "0002-sessions-and-batches.sql",
          "0003-notices.sql",
          "0004-descent.sql",
          "0005-removed.sql",
          "0006-checksums.sql",
          "0007-home.sql",
          "0008-uploads.sql",
          "0009-outcomes.sql",
          "0010-likeness.sql");

  private Migrations() {}

  static void apply(Connection connection) throws SQLException, IOException {
    var version = checkKnown(connection, "main");
    for (var next = version + 1; next <= STEPS.size(); next++) {
      step(connection, next);
    }
  }

  /** The schema version of that database; refused if it is newer than this program. */
  static int checkKnown(Connection connection, String database) throws SQLException {
    var version = version(connection, database);
    if (version > STEPS.size()) {
      throw new ErrandException(
          ErrorCode.JOURNAL_FAILED,
          "this journal was written by a newer version of Errand: it has schema %d, and this version supports up to %d; start the newer version, or use another home"
              .formatted(version, STEPS.size()));
    }
    return version;
  }

  private static int version(Connection connection, String database) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery("PRAGMA " + database + ".user_version")) {
      return result.getInt(1);
    }
  }

  private static void step(Connection connection, int number) throws SQLException, IOException {
    var sql = text(STEPS.get(number - 1));
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("BEGIN IMMEDIATE");
      statement.executeUpdate(sql);
      statement.executeUpdate("PRAGMA user_version = " + number);
      statement.executeUpdate("COMMIT");
    }
  }

  private static String text(String name) throws IOException {
    try (var resource = Migrations.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException("the program lacks its file " + name);
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
