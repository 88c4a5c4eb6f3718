package dev.errand.daemon.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.PendingOutput;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FeedTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final EngineFixture fixture = new EngineFixture();
  private final Feed feed = new Feed(fixture.journal, fixture.clock);

  FeedTest() {
    fixture.engine.subscribe(feed);
  }

  @Test
  void a_follower_reads_history_and_then_what_is_new() throws Exception {
    var taskId = fixture.running();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      assertThat(following.head()).isEqualTo(2);
      assertThat(seqs(following, -1)).containsExactly(0L, 1L, 2L);

      signal(taskId, 3);

      assertThat(following.awaitAfter(2, LONG)).isTrue();
      assertThat(seqs(following, 2)).containsExactly(3L);
    }
    assertThat(feed.followers()).isZero();
  }

  @Test
  void what_is_committed_and_not_told_yet_can_be_caught_up_with() {
    var taskId = fixture.running();
    var untold = new Feed(fixture.journal, fixture.clock);
    try (var following = untold.follow(StreamKey.of(taskId))) {
      signal(taskId, 3);
      assertThat(seqs(following, 2)).isEmpty();

      following.catchUp();

      assertThat(seqs(following, 2)).containsExactly(3L);
    }
  }

  @Test
  void who_waits_is_woken_by_a_commit() {
    var taskId = fixture.running();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var woken =
          CompletableFuture.supplyAsync(() -> {
            try {
              return following.awaitAfter(2, LONG);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });

      signal(taskId, 3);

      assertThat(woken).succeedsWithin(LONG).isEqualTo(true);
    }
  }

  @Test
  void bytes_of_a_terminal_are_told_before_their_frame() throws Exception {
    var taskId = fixture.running();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      assertThat(following.awaitBehind(2, 0, 0, Duration.ZERO)).isFalse();

      feed.stored(taskId, 7);

      assertThat(following.awaitBehind(2, 0, 0, LONG)).isTrue();
      assertThat(following.stored()).isEqualTo(7);
      assertThat(following.awaitBehind(2, 7, 0, Duration.ZERO)).isFalse();
      assertThat(following.awaitAfter(2, Duration.ZERO)).isFalse();
    }
  }

  @Test
  void output_whose_frame_comes_later_is_told_until_a_frame_has_it() throws Exception {
    var taskId = fixture.runningWithManyFrames();
    write(taskId, 3, 0, 10);
    try (var following = feed.follow(StreamKey.of(taskId))) {
      var head = following.head();
      var growth = following.growth();
      write(taskId, 4, 10, 5);

      assertThat(following.awaitNews(head, growth, LONG)).isTrue();
      assertThat(following.awaitAfter(head, Duration.ZERO)).isFalse();
      var stored = new PendingOutput.Range(LogStream.STDOUT, 10, 15);
      assertThat(following.pendingAfter(head).ranges()).containsExactly(stored);
      try (var late = feed.follow(StreamKey.of(taskId))) {
        assertThat(late.pendingAfter(head).ranges()).containsExactly(stored);
      }

      signal(taskId, 5);

      assertThat(seqs(following, head)).hasSize(2);
      assertThat(following.pendingAfter(head).isEmpty()).isTrue();
    }
  }

  private void write(TaskId taskId, long n, long offset, long bytes) {
    var fact = EngineFixture.output(n, offset, bytes);
    fixture.engine.submit(taskId, EngineFixture.report(fact), null).orThrow();
  }

  @Test
  void who_waits_in_vain_is_told_so() throws Exception {
    var taskId = fixture.running();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      assertThat(following.awaitAfter(2, Duration.ZERO)).isFalse();
    }
  }

  @Test
  void who_fell_behind_the_ring_reads_the_journal_and_misses_nothing() {
    var taskId = fixture.running();
    try (var following = feed.follow(StreamKey.of(taskId))) {
      for (var n = 3; n < 603; n++) {
        signal(taskId, n);
      }

      var seen = new ArrayList<Long>();
      var cursor = 2L;
      for (var page = following.next(cursor, 50);
          !page.isEmpty();
          page = following.next(cursor, 50)) {
        page.forEach(it -> seen.add(it.seq()));
        cursor = page.getLast().seq();
      }
      assertThat(seen).hasSize(600).isSorted().doesNotHaveDuplicates().startsWith(3L);
    }
  }

  @Test
  void who_follows_everything_notices_every_commit() {
    try (var all = feed.followAll()) {
      var ticks = all.ticks();
      fixture.running();

      await().until(() -> all.awaitSince(ticks, Duration.ZERO));
      assertThat(all.next(Cursor.START, 100).entries()).hasSize(3);
    }
  }

  private void signal(TaskId taskId, int n) {
    fixture.engine.submit(taskId, EngineFixture.report(EngineFixture.signalled(n)), null).orThrow();
  }

  private static List<Long> seqs(Feed.Following following, long after) {
    return following.next(after, 100).stream().map(it -> it.seq()).toList();
  }
}
