package dev.errand.daemon.store.sqlite;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Durability;
import dev.errand.testkit.SequentialIds;
import dev.errand.wire.json.FrameType;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of the journal's file change behind its back: that is found, and costs what lay there. */
final class SqliteDamageTest {
  private static final int TASKS = 40;
  private static final int FRAMES = 12;
  private static final int PAGE_BYTES = 4096;
  private static final SessionId SESSION = new SessionId("s");

  private final SequentialIds ids = new SequentialIds();
  private final Random random = new Random(5);
  private final Map<TaskId, List<String>> texts = new HashMap<>();
  private final Map<TaskId, TaskRow> rows = new HashMap<>();

  @TempDir private Path folder;
  private Path file;
  private byte[] healthy;

  @BeforeEach
  void fill() throws IOException {
    file = folder.resolve("errand.db");
    try (var journal = open()) {
      var fence = journal.takeOver("a");
      for (var i = 0; i < TASKS; i++) {
        add(journal, fence, ids.nextTask(), i % 4 == 0);
      }
    }
    healthy = Files.readAllBytes(file);
  }

  private void add(SqliteJournal journal, Fence fence, TaskId taskId, boolean live) {
    var frames = new ArrayList<EncodedFrame>();
    var kept = new ArrayList<String>();
    for (var seq = 0; seq < FRAMES; seq++) {
      var text = "frame %s %d %s".formatted(taskId, seq, "x".repeat(random.nextInt(600)));
      kept.add(text);
      frames.add(new EncodedFrame(seq, text.getBytes(UTF_8)));
    }
    var lifetime = live ? TaskRow.Lifetime.LIVE : new TaskRow.Lifetime(7, 0, 9);
    var status =
        "{\"status\":\"status of %s\",\"last_seq\":%d}"
            .formatted(taskId, FRAMES - 1)
            .getBytes(UTF_8);
    var row =
        new TaskRow(
            taskId,
            SESSION,
            "l",
            "command",
            StatusWord.EXITED,
            live,
            lifetime,
            1,
            status,
            null,
            null,
            new TaskRow.Outcome(0, false));
    texts.put(taskId, kept);
    rows.put(taskId, row);
    journal.commit(
        Batch.of(fence)
            .append(new Append(StreamKey.of(taskId), -1, frames))
            .row(row)
            .artifact(new ArtifactLink("a".repeat(64), taskId, 9, 7))
            .build());
  }

  private SqliteJournal open() {
    return SqliteJournal.open(file, Durability.NORMAL, _ -> {}, new SystemTime());
  }

  /** Puts the file back as it was, and then changes one bit of it. */
  private void flip(int at) throws IOException {
    restore();
    var bytes = healthy.clone();
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, bytes);
  }

  private void restore() throws IOException {
    try (var files = Files.list(folder)) {
      for (var it : files.toList()) {
        Files.delete(it);
      }
    }
    Files.write(file, healthy);
  }

  /** Changes a text wherever it lies, for old copies may be left in free places. */
  private void change(String text) throws IOException {
    change(text, "X" + text.substring(1));
  }

  private void change(String text, String other) throws IOException {
    restore();
    var whole = new String(healthy, ISO_8859_1);
    assertThat(whole).contains(text);
    Files.writeString(file, whole.replace(text, other), ISO_8859_1);
  }

  @Test
  void a_changed_frame_is_read_as_damaged_and_all_others_as_they_were() throws IOException {
    var hurt = rows.keySet().iterator().next();
    change("frame " + hurt + " 5 ");

    try (var journal = open()) {
      var frames = journal.read(StreamKey.of(hurt), -1, 100);

      assertThat(frames).extracting(EncodedFrame::damaged).containsOnlyOnce(true).hasSize(FRAMES);
      var placeholder = JsonFields.of(frames.get(5).bytes());
      assertThat(placeholder.text("type")).isEqualTo(FrameType.RECORD_DAMAGED);
      assertThat(placeholder.text("session_id")).isEqualTo("s");
      assertThat(placeholder.number("seq")).isEqualTo(5);
      assertThat(journal.damagedFrom(StreamKey.of(hurt))).hasValue(5);
      assertThat(journal.damagedStreams()).isEqualTo(1);
      assertThat(journal.readAll(journal.head(), 1).entries()).isEmpty();
      assertThat(read(journal).damagedFrames()).isEqualTo(1);
    }
    try (var journal = open()) {
      assertThat(journal.damagedFrom(StreamKey.of(hurt))).as("after a restart").hasValue(5);
      var fence = journal.takeOver("b");
      journal.commit(
          Batch.of(fence).remove(new Tombstone(hurt, SESSION, 1, "asked", "me", "me")).build());
      assertThat(journal.damagedFrom(StreamKey.of(hurt))).as("once removed").isEmpty();
    }
  }

  @Test
  void a_changed_row_is_to_be_folded_anew_and_its_text_is_not_shown() throws IOException {
    change("status of " + rows.keySet().iterator().next());

    try (var journal = open()) {
      var damaged =
          all(journal).stream().filter(it -> it.foldVersion() == TaskRow.DAMAGED).toList();

      assertThat(damaged).hasSize(1);
      assertThat(new String(damaged.getFirst().statusText(), UTF_8)).isEqualTo("{}");
      assertThat(all(journal)).hasSize(TASKS);
    }
  }

  @Test
  void a_changed_row_makes_up_no_frames() throws IOException {
    var hurt = rows.keySet().iterator().next();
    change("%s\",\"last_seq\":11}".formatted(hurt), "%s\",\"last_seq\":99}".formatted(hurt));

    try (var journal = open()) {
      assertThat(journal.read(StreamKey.of(hurt), -1, 500)).hasSize(FRAMES);
    }
  }

  /**
   * One bit, anywhere: never is anything told that was not recorded, and what an index hides comes
   * back once the whole was looked through.
   */
  @Test
  void whatever_bit_is_flipped_the_rest_is_told_as_it_was() throws IOException {
    var refused = 0;
    var hidden = 0;
    var rounds = 400;
    for (var round = 0; round < rounds; round++) {
      var at = random.nextInt(healthy.length);
      flip(at);
      try {
        var seen = readPatiently();
        if (seen.hidden() > 0) {
          hidden++;
          inspect();
          assertThat(readPatiently().hidden()).as("byte %d", at).isZero();
        }
      } catch (ErrandException e) {
        assertThat(e).as("byte %d", at).hasMessageContaining("damaged");
        refused++;
      }
    }
    assertThat(refused).isLessThan(rounds / 20);
    assertThat(hidden).isLessThan(rounds / 50);
  }

  @Test
  void a_mark_without_a_journal_makes_a_new_one_for_its_owner_only() throws IOException {
    Files.delete(file);
    Files.createFile(folder.resolve("errand.db.suspect"));

    open().close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  private void inspect() {
    try (var journal = open()) {
      journal.inspect();
    }
  }

  /** What a daemon does: it starts again where it came upon a damaged place. */
  private Seen readPatiently() {
    for (var start = 0; ; start++) {
      try (var journal = open()) {
        return read(journal);
      } catch (ErrandException e) {
        if (start == 2 || e.code() == ErrorCode.JOURNAL_FAILED) {
          throw e;
        }
      }
    }
  }

  /**
   * What a look at everything found.
   *
   * @param hidden frames and rows that are gone without a word
   */
  private record Seen(int damagedFrames, int hidden) {}

  private Seen read(SqliteJournal journal) {
    var damaged = 0;
    var hidden = 0;
    for (var entry : texts.entrySet()) {
      var stream = StreamKey.of(entry.getKey());
      var frames = journal.read(stream, -1, 100);
      for (var i = 0; i < frames.size(); i++) {
        var frame = frames.get(i);
        assertThat(frame.seq()).isEqualTo(i);
        if (frame.damaged()) {
          damaged++;
        } else {
          assertThat(new String(frame.bytes(), UTF_8)).isEqualTo(entry.getValue().get(i));
        }
      }
      assertThat(journal.damagedFrom(stream).isPresent())
          .isEqualTo(frames.stream().anyMatch(EncodedFrame::damaged));
      hidden += FRAMES - frames.size();
    }
    var found = new HashSet<TaskId>();
    for (var row : all(journal)) {
      var was = rows.get(row.id());
      if (was != null && row.foldVersion() != TaskRow.DAMAGED) {
        assertThat(row.statusText()).isEqualTo(was.statusText());
        assertThat(row.active()).isEqualTo(was.active());
      }
      if (!found.add(row.id())) {
        throw new AssertionError("twice: " + row.id());
      }
    }
    found.addAll(journal.withoutRow());
    found.retainAll(rows.keySet());
    return new Seen(damaged, hidden + TASKS - found.size());
  }

  private static List<TaskRow> all(SqliteJournal journal) {
    return journal.rows(new TaskQuery(null, null, null, Set.of(), null, null, 500));
  }

  @Test
  void a_file_that_was_cut_off_is_mended_from_what_is_left() throws IOException {
    restore();
    Files.write(file, Arrays.copyOf(healthy, healthy.length - 5 * PAGE_BYTES));

    var seen = readPatiently();

    assertThat(seen.damagedFrames() + seen.hidden()).isPositive();
    try (var files = Files.list(folder)) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .as("the damaged one is kept")
          .anyMatch(it -> it.startsWith("errand.db.damaged-"));
    }
    try (var journal = open()) {
      var fence = journal.takeOver("b");
      add(journal, fence, ids.nextTask(), true);
      for (var taskId : rows.keySet()) {
        var stream = StreamKey.of(taskId);
        var read = journal.read(stream, -1, 100);
        if (!read.isEmpty()) {
          var next = new EncodedFrame(read.size(), new byte[] {'{', '}'});
          journal.commit(
              Batch.of(fence).append(new Append(stream, read.size() - 1L, List.of(next))).build());
          assertThat(journal.read(stream, read.size() - 1L, 9))
              .as("behind what is gone")
              .hasSize(1);
        }
      }
    }
  }

  @Test
  void a_file_that_was_cut_off_within_a_page_of_a_long_frame_is_mended_too() throws IOException {
    var taskId = ids.nextTask();
    try (var journal = open()) {
      var longFrame = new EncodedFrame(0, "y".repeat(40 * PAGE_BYTES).getBytes(UTF_8));
      journal.commit(
          Batch.of(journal.takeOver("b"))
              .append(new Append(StreamKey.of(taskId), -1, List.of(longFrame)))
              .build());
    }
    healthy = Files.readAllBytes(file);
    restore();
    Files.write(file, Arrays.copyOf(healthy, healthy.length - 10 * PAGE_BYTES - 100));

    readPatiently();

    try (var journal = open()) {
      assertThat(journal.read(StreamKey.of(taskId), -1, 10)).allMatch(EncodedFrame::damaged);
    }
  }

  @Test
  void what_keeps_a_result_is_made_of_the_frames_again_where_its_table_is_damaged()
      throws IOException, SQLException {
    var taskId = ids.nextTask();
    var sha256 = "c".repeat(64);
    var frame =
        """
        {"id":"f","session_id":"s","stream_id":"%s","timestamp_ms":7,"type":"artifact_written",\
        "stream":"stdout","artifact_id":"%s","bytes":9}\
        """
            .formatted(taskId, sha256);
    try (var journal = open()) {
      var fence = journal.takeOver("b");
      var frames = List.of(new EncodedFrame(0, frame.getBytes(UTF_8)));
      journal.commit(Batch.of(fence).append(new Append(StreamKey.of(taskId), -1, frames)).build());
    }
    var bytes = Files.readAllBytes(file);
    var page = (rootPage("artifacts") - 1) * PAGE_BYTES;
    Arrays.fill(bytes, page, page + PAGE_BYTES, (byte) 0x5a);
    Files.write(file, bytes);
    Files.createFile(folder.resolve("errand.db.suspect"));

    try (var journal = open()) {
      assertThat(journal.artifactLinks(sha256))
          .containsExactly(new ArtifactLink(sha256, taskId, 9, 7));
    }
  }

  private int rootPage(String table) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement();
        var answer =
            statement.executeQuery(
                "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'")) {
      return answer.getInt(1);
    }
  }

  @Test
  void a_crash_before_the_mended_file_was_in_its_place_loses_nothing() throws IOException {
    restore();
    Files.move(file, folder.resolve("errand.db.mended"));
    Files.writeString(folder.resolve("errand.db-wal"), "of the damaged one");
    Files.writeString(folder.resolve("errand.db.mending"), "of an earlier attempt");

    assertThat(readPatiently()).isEqualTo(new Seen(0, 0));
    assertThat(folder.resolve("errand.db.mended")).doesNotExist();
  }

  @Test
  void where_nothing_of_a_table_is_left_a_person_has_to_choose() throws IOException {
    restore();
    var bytes = healthy.clone();
    Arrays.fill(bytes, PAGE_BYTES, 5 * PAGE_BYTES, (byte) 0x5a);
    Files.write(file, bytes);

    assertThatThrownBy(this::open)
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("damaged")
        .hasMessageContaining("docs/operating/recover.md");
    assertThat(file).hasBinaryContent(bytes);
  }
}
