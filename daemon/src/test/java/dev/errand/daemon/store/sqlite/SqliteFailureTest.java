package dev.errand.daemon.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Durability;
import dev.errand.testkit.SequentialIds;
import dev.errand.wire.time.SystemTime;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What becomes of callers when the disk fails in the one step that decides. */
final class SqliteFailureTest {
  private final SequentialIds ids = new SequentialIds();
  private final ConcurrentLinkedQueue<Throwable> told = new ConcurrentLinkedQueue<>();
  private final AtomicInteger commits = new AtomicInteger();

  /** Whether room can be made once when there is none. */
  private final AtomicBoolean roomLeft = new AtomicBoolean();

  /** What the next commit does instead of its work. */
  private volatile WriteSession.CommitStep step = PreparedStatement::executeUpdate;

  @TempDir private Path folder;
  private SqliteJournal journal;
  private Fence fence;

  @BeforeEach
  void open() {
    journal =
        SqliteJournal.open(
            file(),
            Durability.FULL,
            told::add,
            () -> roomLeft.getAndSet(false),
            this::commit,
            new SystemTime());
    fence = journal.takeOver("a");
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private Path file() {
    return folder.resolve("errand.db");
  }

  private void commit(PreparedStatement commit) throws SQLException {
    commits.incrementAndGet();
    step.run(commit);
  }

  @Test
  void a_failed_sync_fails_the_journal_for_good_and_acknowledges_nothing() {
    var task = ids.nextTask();
    failOnce(SQLiteErrorCode.SQLITE_IOERR_FSYNC);

    assertThat(refusal(small(task, -1))).contains(ErrorCode.JOURNAL_FAILED);
    assertThat(refusal(small(task, -1))).contains(ErrorCode.JOURNAL_FAILED);
    assertThatThrownBy(() -> journal.takeOver("b")).isInstanceOf(ErrandException.class);

    Awaitility.await().untilAsserted(() -> assertThat(told).hasSize(1));
    assertThat(commits).hasValue(2);
    assertThat(reopenedFrames()).isZero();
    assertThat(told).hasSize(1);
  }

  @Test
  void a_full_disk_on_which_room_is_made_takes_the_batch_after_all() {
    var task = ids.nextTask();
    roomLeft.set(true);
    failOnce(SQLiteErrorCode.SQLITE_FULL);

    assertThat(refusal(small(task, -1))).isEmpty();
    failOnce(SQLiteErrorCode.SQLITE_FULL);
    assertThat(refusal(small(task, 0))).contains(ErrorCode.INSUFFICIENT_STORAGE);

    assertThat(journal.lastSeq(StreamKey.of(task))).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void reading_goes_on_in_a_failed_journal() {
    var task = ids.nextTask();
    journal.commit(small(task, -1));
    failOnce(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    assertThat(refusal(small(task, 0))).contains(ErrorCode.JOURNAL_FAILED);

    assertThat(journal.lastSeq(StreamKey.of(task))).isZero();
  }

  @Test
  void all_who_wait_learn_of_the_failure() throws Exception {
    var gate = new Gate(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    step = gate;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var refusals = new ArrayList<Future<Optional<ErrorCode>>>();
      for (var i = 0; i < 20; i++) {
        refusals.add(threads.submit(() -> refusal(small(ids.nextTask(), -1))));
      }
      gate.reached.await();
      gate.open.countDown();
      for (var refusal : refusals) {
        assertThat(refusal.get()).contains(ErrorCode.JOURNAL_FAILED);
      }
    }
    assertThat(reopenedFrames()).isZero();
  }

  @Test
  void those_who_come_during_a_commit_share_the_next_one() throws Exception {
    var gate = new Gate(null);
    step = gate;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> refusal(small(ids.nextTask(), -1)));
      gate.reached.await();
      var arrived = new CountDownLatch(20);
      var rest = new ArrayList<Future<Optional<ErrorCode>>>();
      for (var i = 0; i < 20; i++) {
        rest.add(
            threads.submit(() -> {
              arrived.countDown();
              return refusal(small(ids.nextTask(), -1));
            }));
      }
      arrived.await();
      gate.open.countDown();
      assertThat(first.get()).isEmpty();
      for (var refusal : rest) {
        assertThat(refusal.get()).isEmpty();
      }
    }
    // One for the fence, one that was held, and a few at most for the twenty that came meanwhile.
    assertThat(commits.get()).isBetween(3, 10);
  }

  @Test
  void a_full_disk_refuses_and_the_journal_goes_on() {
    var task = ids.nextTask();
    journal.commit(small(task, -1));
    failOnce(SQLiteErrorCode.SQLITE_FULL);

    assertThat(refusal(small(task, 0))).contains(ErrorCode.INSUFFICIENT_STORAGE);
    assertThat(journal.lastSeq(StreamKey.of(task))).isZero();

    journal.commit(small(task, 0));
    assertThat(journal.lastSeq(StreamKey.of(task))).isEqualTo(1);
    assertThat(told).isEmpty();
    assertThat(reopenedFrames()).isEqualTo(2);
  }

  @Test
  void running_out_of_room_before_the_commit_leaves_no_trace() {
    var task = ids.nextTask();
    step = this::commitAndForbidGrowth;
    journal.commit(small(task, -1));
    step = PreparedStatement::executeUpdate;
    var head = journal.head();

    assertThat(refusal(large(task, 0))).contains(ErrorCode.INSUFFICIENT_STORAGE);
    assertThat(refusal(large(ids.nextTask(), -1))).contains(ErrorCode.INSUFFICIENT_STORAGE);

    assertThat(journal.head()).isEqualTo(head);
    journal.commit(small(task, 0));
    assertThat(told).isEmpty();
    assertThat(reopenedFrames()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = SQLiteErrorCode.class,
      names = {"SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_CORRUPT", "SQLITE_BUSY"})
  void no_other_failure_of_a_commit_is_forgiven(SQLiteErrorCode code) {
    failOnce(code);

    assertThat(refusal(small(ids.nextTask(), -1))).contains(ErrorCode.JOURNAL_FAILED);
    assertThat(refusal(small(ids.nextTask(), -1))).contains(ErrorCode.JOURNAL_FAILED);
  }

  @Test
  void a_closed_journal_takes_nothing_and_tells_of_no_failure() {
    journal.close();
    journal.close();

    assertThat(refusal(small(ids.nextTask(), -1))).contains(ErrorCode.JOURNAL_FAILED);
    assertThatThrownBy(() -> journal.head())
        .asInstanceOf(InstanceOfAssertFactories.type(ErrandException.class))
        .extracting(ErrandException::code)
        .isEqualTo(ErrorCode.JOURNAL_FAILED);
    assertThat(told).isEmpty();
  }

  /** Stops in the commit until it is let go, then does it or fails. */
  private final class Gate implements WriteSession.CommitStep {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch open = new CountDownLatch(1);
    private final @Nullable SQLiteErrorCode failure;

    Gate(@Nullable SQLiteErrorCode failure) {
      this.failure = failure;
    }

    @Override
    public void run(PreparedStatement commit) throws SQLException {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new SQLException(e);
      }
      step = PreparedStatement::executeUpdate;
      if (failure != null) {
        throw new SQLiteException("made by the test", failure);
      }
      commit.executeUpdate();
    }
  }

  private void failOnce(SQLiteErrorCode code) {
    step =
        _ -> {
          step = PreparedStatement::executeUpdate;
          throw new SQLiteException("made by the test", code);
        };
  }

  private void commitAndForbidGrowth(PreparedStatement commit) throws SQLException {
    commit.executeUpdate();
    try (var statement = commit.getConnection().createStatement()) {
      var pages = 0;
      try (var count = statement.executeQuery("PRAGMA page_count")) {
        pages = count.getInt(1);
      }
      statement.execute("PRAGMA max_page_count = " + (pages + 20));
    }
  }

  private Batch small(TaskId task, long afterSeq) {
    return batch(task, afterSeq, 100);
  }

  private Batch large(TaskId task, long afterSeq) {
    return batch(task, afterSeq, 1 << 20);
  }

  private Batch batch(TaskId task, long afterSeq, int bytes) {
    var frames = List.of(new EncodedFrame(afterSeq + 1, new byte[bytes]));
    return Batch.of(fence).append(new Append(StreamKey.of(task), afterSeq, frames)).build();
  }

  private Optional<ErrorCode> refusal(Batch batch) {
    try {
      journal.commit(batch);
      return Optional.empty();
    } catch (ErrandException e) {
      return Optional.of(e.code());
    }
  }

  private int reopenedFrames() {
    journal.close();
    try (var again = SqliteJournal.open(file(), Durability.FULL, told::add, new SystemTime())) {
      return again.readAll(Cursor.START, 1_000).entries().size();
    }
  }
}
