package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.frame.Frame;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.Command;
import dev.errand.core.task.End;
import dev.errand.core.task.Preview;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskView;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JsonFrameCodecTest {
  private final JsonFrameCodec codec = new JsonFrameCodec();

  @Test
  void every_event_reads_back_as_it_was_written() {
    for (var seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      var sessionId = new SessionId("s" + seed);
      for (var event : new RandomEvents(random, sessionId).oneOfEach()) {
        var head = new Frame.Head("id-" + seed, sessionId, seed, random.nextLong(1L << 52));
        var frame = new Frame.OfTask(head, Samples.TASK, event);

        var encoded = codec.encode(frame, Samples.running());

        assertThat(codec.decodeTask(encoded)).as("seed %d", seed).isEqualTo(frame);
      }
    }
  }

  @Test
  void every_view_reads_back_as_it_was_written() {
    for (var seed = 0; seed < 500; seed++) {
      for (var view : new RandomEvents(new Random(seed), Samples.SESSION).views()) {
        assertThat(codec.readStatus(codec.status(view))).as("seed %d", seed).isEqualTo(view);
      }
    }
  }

  @Test
  void a_tree_of_a_status_is_its_text() {
    for (var view : new RandomEvents(new Random(3), Samples.SESSION).views()) {
      var tree = JsonWriter.tree(out -> StatusWriter.write(out, view));

      assertThat(Json.bytes(tree)).isEqualTo(codec.status(view));
    }
  }

  @Test
  void the_random_views_leave_no_kind_out() {
    var views = new RandomEvents(new Random(1), Samples.SESSION).views();

    assertThat(views.stream().map(Object::getClass)).containsAll(kinds(TaskView.class).toList());
    assertThat(views.stream().map(TaskView::end).filter(Objects::nonNull).map(Object::getClass))
        .containsAll(kinds(End.class).toList());
  }

  @Test
  void the_random_events_leave_no_kind_out() {
    var made =
        new RandomEvents(new Random(1), Samples.SESSION)
            .oneOfEach().stream()
                .map(Object::getClass)
                .collect(Collectors.toCollection(HashSet::new));
    made.add(TaskEvent.Unknown.class);

    assertThat(made).containsAll(kinds(TaskEvent.class).toList());
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(JsonFrameCodecTest::kinds)
        : Stream.of(type);
  }

  @Test
  void a_task_frame_opens_with_the_envelope_in_its_order() {
    var encoded = encode(Samples.ATTEMPTED);

    assertThat(text(encoded))
        .startsWith(
            "{\"id\":\"f-1\",\"session_id\":\"default\",\"stream_kind\":\"task\",\"stream_id\":\""
                + Samples.TASK
                + "\",\"seq\":3,\"timestamp_ms\":1700000000000,\"type\":\"tool_task_attempt\"");
  }

  @Test
  void a_session_frame_is_of_its_sessions_stream() {
    var head = new Frame.Head("f-1", Samples.SESSION, 4, Samples.AT);
    var removed = new SessionEvent.TaskRemoved(Samples.TASK, "asked", "uid:1");

    var encoded = codec.encode(new Frame.OfSession(head, removed));

    assertThat(text(encoded))
        .isEqualTo(
            "{\"id\":\"f-1\",\"session_id\":\"default\",\"stream_kind\":\"session\","
                + "\"stream_id\":\"default\",\"seq\":4,\"timestamp_ms\":1700000000000,"
                + "\"type\":\"task_removed\",\"task_id\":\""
                + Samples.TASK
                + "\",\"reason\":\"asked\",\"by\":\"uid:1\"}");
  }

  @Test
  void fields_that_nobody_knows_are_skipped() {
    var node = (ObjectNode) Json.read(encode(Samples.SPAWNED).bytes());
    node.put("since_2031", "x");
    ((ObjectNode) node.path("args")).put("since_2032", 1);

    assertThat(decode(node).event()).isEqualTo(Samples.SPAWNED);
  }

  @Test
  void a_type_that_nobody_knows_is_counted_and_changes_nothing_else() {
    var node = (ObjectNode) Json.read(encode(Samples.ATTEMPTED).bytes());
    node.put("type", "tool_task_teleported");

    var event = decode(node).event();

    assertThat(event).isEqualTo(new TaskEvent.Unknown("tool_task_teleported"));
    var before = Samples.running();
    var after = TaskFold.evolve(before, event, 0);
    assertThat(after.facts().frames()).isEqualTo(before.facts().frames() + 1);
    assertThat(TaskView.of(Samples.TASK, after, 9)).isEqualTo(TaskView.of(Samples.TASK, before, 9));
  }

  @Test
  void a_status_word_that_nobody_knows_is_an_unknown_event() {
    var node = (ObjectNode) Json.read(encode(Samples.EXITED).bytes());
    node.put("status", "hibernated");

    assertThat(decode(node).event()).isEqualTo(new TaskEvent.Unknown("tool_task_status"));
  }

  @Test
  void missing_and_null_fields_take_their_defaults() {
    for (var unset : new boolean[] {false, true}) {
      var node = (ObjectNode) Json.read(encode(Samples.SPAWNED).bytes());
      for (var name : new String[] {"limits", "on_restart", "on_output_limit", "max_frames"}) {
        node.remove(name);
        if (unset) {
          node.putNull(name);
        }
      }
      var command = (Command) ((TaskEvent.Spawned) decode(node).event()).spec().work();
      var whole = (Command) Samples.SPEC.work();
      assertThat(command.limits().wall()).isNull();
      assertThat(command.limits().grace()).hasSeconds(5);
      assertThat(command.onRestart()).isEqualTo(whole.onRestart());
      assertThat(command.io()).isEqualTo(whole.io());
    }
  }

  @Test
  void a_task_that_does_not_say_its_kind_is_a_command_and_an_unknown_kind_is_refused() {
    var node = (ObjectNode) Json.read(encode(Samples.SPAWNED).bytes());
    assertThat(node.path("kind").stringValue("")).isEqualTo(Samples.SPEC.work().kind().word());

    node.putNull("kind");
    assertThat(decode(node).event()).isEqualTo(Samples.SPAWNED);
    node.remove("kind");
    assertThat(decode(node).event()).isEqualTo(Samples.SPAWNED);
    node.put("kind", "dream");
    assertThatThrownBy(() -> decode(node))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("no such kind of task: dream");
  }

  @Test
  void an_old_or_unset_list_of_those_outside_is_empty() {
    var signalled = new TaskEvent.Signalled(7, "op", "INT", "ann");
    var unset = (ObjectNode) Json.read(encode(signalled).bytes());
    assertThat(unset.has("outside")).isFalse();
    unset.putNull("outside");

    assertThat(decode(unset).event()).isEqualTo(signalled);
  }

  @Test
  void an_old_terminal_frame_without_our_fields_still_ends_the_task() {
    var node = (ObjectNode) Json.read(encode(Samples.EXITED).bytes());
    for (var name :
        new String[] {"signal", "reason", "killed_for", "leftover", "killed", "usage"}) {
      node.remove(name);
    }

    assertThat(decode(node).event()).isInstanceOf(TaskEvent.Ended.class);
  }

  @Test
  void half_characters_are_replaced_and_line_separators_escaped() {
    var preview = new Preview("a\uD800b\u2028\u2029", 5, false);
    var output = new TaskEvent.Output(1, Samples.OUTPUT.stream(), 0, 5, 5, null, preview);

    var text = text(encode(output));

    assertThat(text).contains("\"chunk\":\"a\uFFFDb\\u2028\\u2029\"").doesNotContain("\u2028");
  }

  @Test
  void a_frame_without_its_envelope_says_what_is_missing() {
    var node = (ObjectNode) Json.read(encode(Samples.ATTEMPTED).bytes());
    node.remove("host_id");

    assertThatThrownBy(() -> decode(node)).hasMessageContaining("host_id");
  }

  private EncodedFrame encode(TaskEvent event) {
    var head = new Frame.Head("f-1", Samples.SESSION, 3, Samples.AT);
    return codec.encode(new Frame.OfTask(head, Samples.TASK, event), Samples.running());
  }

  private Frame.OfTask decode(ObjectNode node) {
    return codec.decodeTask(new EncodedFrame(3, Json.bytes(node)));
  }

  private static String text(EncodedFrame frame) {
    return new String(frame.bytes(), StandardCharsets.UTF_8);
  }
}
