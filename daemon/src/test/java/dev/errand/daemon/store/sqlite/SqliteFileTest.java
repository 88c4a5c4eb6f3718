package dev.errand.daemon.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Durability;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that a journal lives in: who may read it, where it may lie, and what is refused. */
final class SqliteFileTest {
  @TempDir private Path folder;

  @Test
  void nobody_else_may_read_the_journal() throws IOException {
    try (var journal = open(folder.resolve("errand.db"))) {
      journal.takeOver("a");
      try (var files = Files.list(folder)) {
        assertThat(files.toList())
            .hasSize(3)
            .allSatisfy(file ->
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
      }
    }
  }

  @Test
  void a_clean_end_leaves_one_file() throws IOException {
    try (var journal = open(folder.resolve("errand.db"))) {
      journal.takeOver("a");
    }

    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("errand.db"));
    }
  }

  @Test
  void any_name_of_a_folder_will_do() throws IOException {
    var odd = Files.createDirectory(folder.resolve("a b?mode=memory&x=%41#ü"));
    try (var journal = open(odd.resolve("errand.db"))) {
      journal.takeOver("a");
    }

    assertThat(odd.resolve("errand.db")).isNotEmptyFile();
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(odd);
    }
  }

  @Test
  void a_journal_of_a_newer_program_is_refused_and_stays_as_it_is()
      throws SQLException, IOException {
    var file = folder.resolve("errand.db");
    open(file).close();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }
    var before = Files.readAllBytes(file);

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("newer version of Errand")
        .hasMessageContaining("99");
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void a_journal_of_an_older_program_learns_which_task_descends_from_which()
      throws SQLException, IOException {
    var file = folder.resolve("errand.db");
    open(file).close();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (var column : List.of("id", "device", "inode", "boot")) {
        statement.executeUpdate("ALTER TABLE meta DROP COLUMN home_" + column);
      }
      statement.executeUpdate("DROP INDEX notices_by_likeness");
      statement.executeUpdate("ALTER TABLE notices DROP COLUMN likeness");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN exit_code");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN cancel_requested");
      statement.executeUpdate("DROP TABLE uploads");
      statement.executeUpdate("DROP TABLE damage");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN sum");
      statement.executeUpdate("ALTER TABLE frames DROP COLUMN sum");
      statement.executeUpdate("DROP TABLE removed_descent");
      statement.executeUpdate("ALTER TABLE tombstones DROP COLUMN spawned_by");
      statement.executeUpdate("DROP TABLE descent");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN parent_id");
      statement.executeUpdate("PRAGMA user_version = 3");
      for (var row : List.of("1 a 0", "2 b 1", "3 c 2", "4 c 0")) {
        var parts = row.split(" ", -1);
        var parent = parts[2].equals("0") ? "null" : "\"" + id(parts[2]) + "\"";
        statement.executeUpdate(
            """
            INSERT INTO tasks (id, session_id, kind, status, active, ended_at_ms, read_at_ms,
              bytes_stored, fold_version, status_text)
            VALUES ('%s', '%s', 'command', 'running', 1, 0, 0, 0, 1,
              CAST('{"parent_task_id":%s}' AS BLOB))
            """
                .formatted(id(parts[0]), parts[1], parent));
      }
    }

    try (var journal = open(file)) {
      var query = new TaskQuery(new SessionId("a"), null, null, Set.of(), null, null, 9);
      assertThat(journal.rows(query.withDescendants()))
          .extracting(it -> it.id() + " " + it.parent())
          .containsExactly(id("3") + " " + id("2"), id("2") + " " + id("1"), id("1") + " null");
      assertThat(journal.descends(id("3"), new SessionId("b"))).isTrue();
      assertThat(journal.descends(id("4"), new SessionId("a"))).isFalse();
    }
  }

  @Test
  void rows_of_an_older_program_learn_how_their_tasks_came_out() throws SQLException {
    var file = folder.resolve("errand.db");
    open(file).close();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.executeUpdate("DROP INDEX notices_by_likeness");
      statement.executeUpdate("ALTER TABLE notices DROP COLUMN likeness");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN exit_code");
      statement.executeUpdate("ALTER TABLE tasks DROP COLUMN cancel_requested");
      statement.executeUpdate("PRAGMA user_version = 8");
      var texts =
          List.of(
              "{\"exit_code\":7,\"cancel_requested\":null}",
              "{\"exit_code\":null,\"cancel_requested\":{\"reason\":\"r\",\"by\":\"b\"}}",
              "{\"cut",
              "{}");
      for (var i = 0; i < texts.size(); i++) {
        statement.executeUpdate(
            """
            INSERT INTO tasks (id, session_id, kind, status, active, ended_at_ms, read_at_ms,
              bytes_stored, fold_version, status_text)
            VALUES ('%s', 's', 'command', 'exited', 0, 1, 0, 0, 1, CAST('%s' AS BLOB))
            """
                .formatted(id("" + i), texts.get(i)));
      }
    }

    try (var journal = open(file)) {
      assertThat(journal.rows(new TaskQuery(null, null, null, Set.of(), null, null, 9)))
          .extracting(TaskRow::outcome)
          .containsExactly(
              TaskRow.Outcome.NONE,
              TaskRow.Outcome.NONE,
              new TaskRow.Outcome(null, true),
              new TaskRow.Outcome(7, false));
    }
  }

  private static TaskId id(String digit) {
    return new TaskId("0198c000-0000-7000-8000-00000000000" + digit);
  }

  @Test
  void a_file_that_is_no_database_is_refused() throws IOException {
    var file = Files.writeString(folder.resolve("errand.db"), "not a database ".repeat(100));

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("errand.db");
  }

  @Test
  void a_folder_that_is_not_there_is_refused() {
    assertThatThrownBy(() -> open(folder.resolve("none").resolve("errand.db")))
        .isInstanceOf(ErrandException.class);
  }

  @Test
  void of_two_journals_on_one_file_only_the_later_writes() {
    var file = folder.resolve("errand.db");
    try (var first = open(file);
        var second = open(file)) {
      var old = first.takeOver("first");
      var fence = second.takeOver("second");
      second.commit(Batch.of(fence).build());

      assertThatThrownBy(() -> first.commit(Batch.of(old).build()))
          .isInstanceOfSatisfying(
              ErrandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    }
  }

  private static SqliteJournal open(Path file) {
    return SqliteJournal.open(
        file,
        Durability.FULL,
        failure -> {
          throw new AssertionError("the journal failed", failure);
        },
        new SystemTime());
  }
}
