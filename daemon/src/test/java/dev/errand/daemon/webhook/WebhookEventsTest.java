package dev.errand.daemon.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.inbox.InboxFixture;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Webhooks that ask for events of tasks. */
final class WebhookEventsTest {
  private static final SessionId SESSION = EngineFixture.SESSION;

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
  void the_events_of_a_task_arrive_in_order_beside_its_notices() throws Exception {
    set(WebhookEvent.STATUS, WebhookEvent.WATCH, WebhookEvent.OUTPUT);
    var taskId = InboxFixture.watched(fixture);
    awaitEvents(2);
    write(taskId, 3, 0);
    awaitEvents(3);
    InboxFixture.hit(fixture, taskId, "ERROR in line 3");
    awaitEvents(4);
    var last = EngineFixture.output(4, 10, 10);
    fixture.engine.submit(taskId, EngineFixture.report(last, EngineFixture.exited(5, 20)), null);
    awaitEvents(6);

    assertThat(hook.events)
        .extracting(it -> text(it, "kind") + " " + text(it, "status"))
        .containsExactly(
            "status queued", "status running", "output ", "watch ", "output ", "status exited");
    assertThat(hook.events)
        .allSatisfy(it -> {
          assertThat(text(it, "task_id")).isEqualTo(taskId.value());
          assertThat(text(it, "session_id")).isEqualTo(SESSION.value());
          assertThat(text(it, "label")).isEqualTo("build");
          assertThat(it.path("snippet").isString()).isTrue();
          assertThat(it.valueStream()).noneMatch(JsonNode::isNull);
        });
    assertThat(text(hook.events.get(3), "event")).isEqualTo("seen");
    assertThat(text(hook.events.get(3), "summary")).isEqualTo("ERROR in line 3");
    assertThat(hook.events.get(4).path("end_offset").intValue()).isEqualTo(20);
    assertThat(hook.events.getLast().path("exit_code").intValue(-1)).isZero();
    assertThat(frameIds(taskId))
        .containsSubsequence(hook.events.stream().map(it -> text(it, "id")).toList());
    WebhookFixture.await(() -> hook.notices.size() == 2);
  }

  @Test
  void output_is_told_once_a_second_with_the_newest_and_delays_no_notice() throws Exception {
    set(WebhookEvent.OUTPUT);
    var taskId = fixture.running();
    var offset = 0;
    for (var seq = 3; seq < 8; seq++) {
      write(taskId, seq, offset);
      offset += 10;
      awaitEvents(1);
    }
    var other = fixture.ended();
    WebhookFixture.await(() -> hook.notices.size() == 1);
    assertThat(hook.events).hasSize(1);

    fixture.clock.advance(EventFeed.OUTPUT_PAUSE);
    awaitEvents(3);
    assertThat(hook.events)
        .extracting(it -> text(it, "task_id"))
        .containsExactly(taskId.value(), taskId.value(), other.value());
    assertThat(hook.events.get(1).path("end_offset").intValue()).isEqualTo(offset);
  }

  @Test
  void only_what_was_asked_for_is_told_and_of_no_other_session() throws Exception {
    set(WebhookEvent.STATUS);
    var other =
        new TaskSpec(
            new TaskSpec.Origin(new SessionId("s2"), "tester", null, null, null),
            EngineFixture.spec().work());
    fixture.running(other);
    var taskId = InboxFixture.watched(fixture);
    write(taskId, 3, 0);
    InboxFixture.hit(fixture, taskId, "ERROR");
    fixture.engine.submit(taskId, EngineFixture.cancel(), null).orThrow();
    fixture.held(Long.MAX_VALUE);
    awaitEvents(3);

    assertThat(hook.events)
        .extracting(it -> text(it, "status"))
        .containsExactly("queued", "running", "queued");
  }

  @Test
  void a_restart_neither_loses_nor_repeats_what_was_taken() throws Exception {
    set(WebhookEvent.STATUS, WebhookEvent.OUTPUT);
    fixture.ended();
    // Four events and the notice of the end.
    hook.eventually(() -> hook.shown().tries().size() == 5);
    hook.webhooks.close();
    var taskId = fixture.running();
    for (var seq = 3; seq < 50; seq++) {
      write(taskId, seq, (seq - 3) * 10L);
    }
    hook.answer = 500;
    hook.restart();
    hook.eventually(() -> hook.shown().isFailing());
    hook.webhooks.close();
    hook.answer = 200;
    hook.restart();
    hook.eventually(() -> hook.events.size() == 7);

    assertThat(hook.events).extracting(it -> text(it, "id")).doesNotHaveDuplicates();
    assertThat(hook.events.subList(4, 7))
        .extracting(it -> text(it, "kind") + text(it, "status"))
        .containsExactly("statusqueued", "statusrunning", "output");
    assertThat(hook.events.getLast().path("end_offset").intValue()).isEqualTo(470);
  }

  @Test
  void the_events_of_a_task_that_is_removed_meanwhile_hold_up_nothing() throws Exception {
    set(WebhookEvent.STATUS, WebhookEvent.OUTPUT);
    hook.answer = 500;
    var gone = fixture.ended();
    hook.eventually(() -> hook.shown().isFailing());
    fixture.engine.remove(gone, "asked", "ann", null).orThrow();
    hook.answer = 200;
    var taskId = fixture.ended();

    hook.eventually(() ->
        !hook.events.isEmpty()
            && text(hook.events.getLast(), "task_id").equals(taskId.value())
            && text(hook.events.getLast(), "status").equals("exited"));
  }

  @Test
  void unknown_words_are_refused_with_the_list() {
    assertThat(WebhookEvent.ofWords(List.of("output", "status", "output")))
        .containsExactly(WebhookEvent.STATUS, WebhookEvent.OUTPUT);
    assertThatThrownBy(() -> WebhookEvent.ofWords(List.of("status", "exit")))
        .isInstanceOf(ErrandException.class)
        .hasMessage("unknown event 'exit' in events; use a list of status, watch, output");
  }

  private void set(WebhookEvent... wanted) throws InterruptedException {
    hook.set(false, wanted);
  }

  private void write(TaskId taskId, long record, long offset) {
    var output = EngineFixture.output(record, offset, 10);
    fixture.engine.submit(taskId, EngineFixture.report(output), null).orThrow();
  }

  private List<String> frameIds(TaskId taskId) {
    return fixture.journal.read(StreamKey.of(taskId), -1, 100).stream()
        .map(it -> new JsonFrameCodec().decodeTask(it).head().id())
        .toList();
  }

  private void awaitEvents(int count) {
    WebhookFixture.await(() -> hook.events.size() == count);
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }
}
