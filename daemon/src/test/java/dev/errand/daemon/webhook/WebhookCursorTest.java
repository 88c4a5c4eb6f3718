package dev.errand.daemon.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.inbox.InboxFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks go on from their own cursor, whatever becomes of the notices meanwhile. */
final class WebhookCursorTest {
  private static final int ROUNDS = 4;
  private static final int TASKS_PER_ROUND = 25;

  @TempDir Path folder;
  private final EngineFixture fixture = new EngineFixture();
  private WebhookFixture hook;

  @BeforeEach
  void start() throws IOException {
    hook = new WebhookFixture(fixture, folder);
  }

  @AfterEach
  void stop() {
    hook.close();
  }

  @Test
  void what_is_acknowledged_before_it_was_taken_is_sent_all_the_same() throws Exception {
    hook.answer = 500;
    hook.set(true);
    fixture.ended();
    hook.eventually(() -> hook.shown().isFailing());
    acknowledgeAll();
    hook.answer = 200;
    fixture.ended();

    hook.eventually(() -> hook.notices.size() == 2 && unread() == 0);
    assertThat(ids()).containsExactlyElementsOf(told());
    assertThat(acknowledgements()).as("the first was acknowledged by its reader").isEqualTo(2);
  }

  @Test
  void every_notice_arrives_however_soon_it_is_read_and_whenever_the_daemon_restarts()
      throws Exception {
    hook.set(false);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reading = threads.submit(this::acknowledgeAsTheyCome);
      for (var round = 0; round < ROUNDS; round++) {
        for (var i = 0; i < TASKS_PER_ROUND; i++) {
          fixture.ended();
        }
        hook.restart();
      }
      hook.eventually(() -> ids().size() == ROUNDS * TASKS_PER_ROUND && unread() == 0);
      reading.cancel(true);
    }
    assertThat(ids()).containsExactlyElementsOf(told());
  }

  private boolean acknowledgeAsTheyCome() throws InterruptedException {
    var query = new NoticeQuery(WebhookFixture.SESSION, Cursor.START, false, 100);
    while (true) {
      var page = hook.inbox.await(query, Duration.ofDays(1));
      var ids = page.stream().map(it -> it.notice().id()).toList();
      hook.inbox.acknowledge(WebhookFixture.SESSION, ids, "reader");
    }
  }

  @Test
  void equal_hits_meanwhile_arrive_as_one() throws Exception {
    hook.answer = 500;
    hook.set(false);
    var taskId = InboxFixture.watched(fixture);
    InboxFixture.hit(fixture, taskId, "ERROR");
    hook.eventually(() -> hook.shown().isFailing());
    hook.webhooks.close();
    for (var i = 0; i < 9; i++) {
      InboxFixture.hit(fixture, taskId, "ERROR");
    }
    hook.answer = 200;
    hook.restart();

    hook.eventually(() -> !hook.shown().isFailing());
    assertThat(hook.notices)
        .singleElement()
        .satisfies(it -> assertThat(it.path("merged").intValue()).isEqualTo(10));
  }

  @Test
  void a_question_that_was_answered_before_it_was_told_is_not_asked_any_more() throws Exception {
    hook.answer = 500;
    hook.set(false);
    var held = fixture.held(Long.MAX_VALUE);
    hook.eventually(() -> hook.shown().isFailing());
    hook.webhooks.close();
    fixture.engine.submit(held, EngineFixture.cancel(), null).orThrow();
    hook.answer = 200;
    hook.restart();

    hook.eventually(() -> !hook.shown().isFailing());
    assertThat(hook.notices)
        .extracting(it -> it.path("kind").stringValue(""))
        .containsExactly("ended");
  }

  @Test
  void a_next_try_is_never_in_the_past_and_a_good_post_ends_the_failing() throws Exception {
    hook.answer = 500;
    hook.set(false);
    assertThat(hook.shown().isFailing()).isFalse();
    fixture.ended();
    hook.eventually(() -> hook.shown().isFailing());
    hook.webhooks.close();
    fixture.clock.advance(Duration.ofHours(2));

    assertThat(hook.shown().isFailing()).isTrue();
    assertThat(Objects.requireNonNull(hook.shown().pending()).nextAtMs())
        .isEqualTo(fixture.clock.millis());
    hook.answer = 200;
    hook.restart();
    hook.eventually(() -> !hook.shown().isFailing());
    assertThat(hook.shown().pending()).isNull();
  }

  @Test
  void a_notice_that_goes_with_its_task_stops_nothing() throws Exception {
    hook.answer = 500;
    hook.set(false);
    var taskId = fixture.ended();
    hook.eventually(() -> hook.shown().isFailing());
    acknowledgeAll();
    fixture.engine.remove(taskId, "asked", "ann", null).orThrow();

    hook.eventually(() -> hook.shown().pending() == null);
    assertThat(hook.shown().isFailing()).isTrue();
    hook.answer = 200;
    fixture.ended();
    hook.eventually(() -> !hook.shown().isFailing());
    assertThat(hook.notices).hasSize(1);
  }

  private void acknowledgeAll() {
    hook.inbox.acknowledge(WebhookFixture.SESSION, fixture.journal.lastNotice(), "ann");
  }

  /** The ids of those that arrived, each once. */
  private Set<String> ids() {
    return hook.notices.stream()
        .map(it -> it.path("id").stringValue(""))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Set<String> told() {
    return fixture.told.notices.stream()
        .map(Notice::id)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private long unread() {
    return fixture.journal.unacknowledged(WebhookFixture.SESSION);
  }

  private long acknowledgements() {
    return fixture.journal.read(StreamKey.of(WebhookFixture.SESSION), -1, 100).stream()
        .filter(it -> new String(it.bytes(), UTF_8).contains("notice_acknowledged"))
        .count();
  }
}
