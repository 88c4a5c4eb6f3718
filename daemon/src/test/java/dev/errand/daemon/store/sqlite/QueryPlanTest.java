package dev.errand.daemon.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Durability;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How SQLite goes about each query: by an index, in its order, and without sorting. */
final class QueryPlanTest {
  @TempDir private Path folder;
  private Statements sql;

  @BeforeEach
  void open() throws SQLException {
    var file = folder.resolve("errand.db");
    SqliteJournal.open(file, Durability.FULL, _ -> {}, new SystemTime()).close();
    sql = new Statements(new Connections(file, Durability.FULL).writer());
  }

  @AfterEach
  void close() throws SQLException {
    sql.close();
  }

  @Test
  void each_form_of_a_list_walks_the_index_that_suits_it() throws SQLException {
    assertThat(plan(TaskQueries.LIVE)).contains("tasks_live (id<?)");
    assertThat(plan(TaskQueries.OF_LABEL)).contains("tasks_by_label (label=? AND id<?)");
    assertThat(plan(TaskQueries.OF_SESSION)).contains("tasks_by_session (session_id=? AND id<?)");
    assertThat(plan(TaskQueries.OF_BATCH)).contains("tasks_by_batch (batch_id=? AND id<?)");
    assertThat(plan(TaskQueries.OF_ANY)).contains("tasks_by_id (id<?)");
    assertThat(plan(TaskQueries.ROW)).contains("tasks_by_id (id=?)");
    assertThat(plan(TaskQueries.IDS_WITH_PREFIX)).contains("COVERING INDEX tasks_by_id");
    assertThat(plan(TaskQueries.READ_BEFORE)).contains("tasks_ended (ended_at_ms>?)");
    assertThat(plan(TaskQueries.OLDEST_ENDED)).contains("tasks_ended (ended_at_ms>?)");
    assertThat(plan(TaskQueries.BYTES_STORED)).contains("COVERING INDEX tasks_ended");
  }

  @Test
  void the_form_of_a_list_follows_from_its_filters() {
    assertThat(form(null, null, Set.of(), null)).isEqualTo(TaskQueries.OF_ANY);
    assertThat(form("s", null, Set.of(), null)).isEqualTo(TaskQueries.OF_SESSION);
    assertThat(form("s", null, Set.of(StatusWord.FAILED), null)).isEqualTo(TaskQueries.OF_ANY);
    assertThat(form("s", null, Set.of(), false)).isEqualTo(TaskQueries.OF_ANY);
    assertThat(form("s", "l", Set.of(StatusWord.FAILED), false)).isEqualTo(TaskQueries.OF_LABEL);
    assertThat(form("s", "l", Set.of(StatusWord.FAILED), true)).isEqualTo(TaskQueries.LIVE);
  }

  @Test
  void descendants_are_found_by_the_session_above_them() throws SQLException {
    assertThat(plan(TaskQueries.BELOW))
        .contains("descent USING PRIMARY KEY (session_id=? AND task_id<?)")
        .contains("tasks_by_id (id=?)");
    assertThat(plan(TaskQueries.DESCENDS))
        .contains("PRIMARY KEY (session_id=? AND task_id=?)")
        .contains("PRIMARY KEY (task_id=? AND session_id=?)");
    assertThat(plan(DescentSql.KEEP)).contains("descent_by_task (task_id=?)");
    assertThat(plan(DescentSql.PUT_PARENT)).contains("tasks_by_id (id=?");
    assertThat(plan(DescentSql.PUT_OTHERS)).contains("descent_by_task (task_id=?");
    assertThat(plan(DescentSql.DELETE)).contains("descent_by_task (task_id=?)");
  }

  @Test
  void sessions_are_found_by_stepping_from_name_to_name() throws SQLException {
    assertThat(plan(SessionQueries.NAMES)).contains("tasks_by_session (session_id>?)");
    assertThat(plan(SessionQueries.COUNT)).contains("COVERING INDEX tasks_by_session");
    assertThat(plan(SessionQueries.LAST_END)).contains("tasks_by_session (session_id=?)");
    assertThat(plan(SessionQueries.ENDED_AT)).contains("PRIMARY KEY (session_id=?)");
  }

  @Test
  void frames_are_found_without_a_walk() throws SQLException {
    assertThat(plan(FrameQueries.READ)).contains("stream_kind=? AND stream_id=? AND seq>?");
    assertThat(plan(FrameQueries.READ_ALL)).contains("INTEGER PRIMARY KEY (rowid>?)");
    assertThat(plan(BatchSql.LAST_SEQ)).contains("COVERING INDEX").contains("stream_id=?");
    assertThat(plan(BatchSql.DELETE_FRAMES)).contains("stream_kind=? AND stream_id=?");
  }

  @Test
  void the_writer_finds_what_it_changes_by_an_index() throws SQLException {
    assertThat(plan(BatchSql.UPDATE_ROW)).contains("tasks_by_id (id=?");
    assertThat(plan(BatchSql.DELETE_ROW)).contains("tasks_by_id (id=?)");
    assertThat(plan(BatchSql.DELETE_LINKS)).contains("artifacts_by_task (task_id=?)");
    assertThat(plan(BatchSql.IS_REMOVED)).contains("PRIMARY KEY (task_id=?)");
    assertThat(plan(RetainedQueries.FORGET_UPLOADS)).contains("uploads_by_time (at_ms<?)");
    assertThat(plan(RetainedQueries.FORGET_OLD_UPLOADS)).contains("artifacts_uploaded (at_ms<?)");
    assertThat(plan(RetainedQueries.OLD_REPLIES)).contains("replies_by_time");
    assertThat(plan(RetainedQueries.REPLY)).contains("principal=? AND method=? AND path=?");
    assertThat(plan(RetainedQueries.LINKS)).contains("PRIMARY KEY (sha256=?)");
  }

  @Test
  void inboxes_are_read_and_changed_by_an_index() throws SQLException {
    assertThat(plan(InboxQueries.WAITING)).contains("notices_waiting (session_id=? AND position>?");
    assertThat(plan(InboxQueries.ALL)).contains("notices_by_session (session_id=? AND position>?");
    assertThat(plan(InboxQueries.COUNT)).contains("COVERING INDEX notices_waiting");
    assertThat(plan(InboxQueries.UP_TO)).contains("notices_waiting (session_id=? AND position<?");
    assertThat(plan(InboxQueries.IS_WAITING)).contains("(id=?)");
    assertThat(plan(InboxQueries.MEMO)).contains("name=? AND session_id=?");
    assertThat(plan(InboxQueries.MEMOS)).contains("name=?");
    assertThat(plan(InboxSql.ACKNOWLEDGE)).contains("(id=?)");
    assertThat(plan(InboxQueries.OF_TASK)).contains("notices_by_task (task_id=?)");
    assertThat(plan(InboxSql.WITHDRAW)).contains("notices_by_task (task_id=?)");
    assertThat(plan(InboxSql.LIKE_IT)).contains("notices_by_likeness (task_id=? AND likeness=?)");
    assertThat(plan(InboxSql.MERGE)).contains("(id=?)");
    assertThat(plan(InboxSql.DELETE)).contains("(id=?)");
    assertThat(plan(InboxSql.FORGET)).contains("(id=?)");
    assertThat(plan(InboxSql.TASK_REMOVED)).contains("notices_by_task (task_id=?)");
  }

  private static String form(
      @Nullable String session,
      @Nullable String label,
      Set<StatusWord> statuses,
      @Nullable Boolean active) {
    var sessionId = session == null ? null : new SessionId(session);
    @Nullable TaskId before = null;
    return TaskQueries.form(new TaskQuery(sessionId, label, null, statuses, active, before, 50));
  }

  private String plan(String text) throws SQLException {
    var plan =
        String.join("\n", sql.list("EXPLAIN QUERY PLAN " + text, row -> row.getString("detail")));
    assertThat(plan).doesNotContain("TEMP B-TREE").doesNotContain("AUTOMATIC");
    assertThat(plan.lines())
        .noneMatch(line -> line.matches("SCAN (?!json_each|CONSTANT ROW|names|.subquery).*"));
    return plan;
  }
}
