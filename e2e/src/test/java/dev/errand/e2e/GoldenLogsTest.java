package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import dev.errand.wire.json.JsonFrameCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Logs of real runs, recorded once for each released format by {@link LogRecorder} and {@link
 * TerminalRecorder}, fold to the status that was recorded with them, for ever.
 */
final class GoldenLogsTest {
  private static final Path RECORDED = Checkout.ROOT.resolve("e2e/src/test/resources/recorded");
  private static final String LOG = ".jsonl";
  private static final JsonFrameCodec CODEC = new JsonFrameCodec();

  static List<Path> logs() {
    return Checkout.filesBelow(RECORDED).stream()
        .filter(it -> it.toString().endsWith(LOG))
        .map(RECORDED::relativize)
        .toList();
  }

  @Test
  void each_kind_of_end_is_recorded() {
    assertThat(logs())
        .extracting(Path::toString)
        .contains(
            "0.1.0/exit.jsonl",
            "0.1.0/cancel.jsonl",
            "0.1.0/failed-start.jsonl",
            "0.1.0/over-the-cap.jsonl",
            "0.1.0/terminal-vim.jsonl",
            "0.1.0/terminal-less.jsonl",
            "0.1.0/terminal-bash.jsonl");
  }

  @ParameterizedTest
  @MethodSource("logs")
  void a_recorded_log_folds_to_the_recorded_status(Path log) {
    var recorded =
        json(Checkout.read(RECORDED.resolve(log.toString().replace(LOG, ".status.json"))));
    var taskId = new TaskId(recorded.path("task_id").stringValue());

    var folded = json(fold(taskId, Checkout.read(RECORDED.resolve(log))));

    // A status may grow, at its end; what was there stays, with its name, place and value.
    assertThat(folded.propertyNames()).startsWith(names(recorded));
    assertThat(folded.properties()).containsAll(recorded.properties());
  }

  private static String fold(TaskId taskId, String lines) {
    TaskState state = new TaskState.Absent();
    var seq = -1L;
    for (var line : lines.lines().toList()) {
      seq++;
      var text = line.getBytes(StandardCharsets.UTF_8);
      var frame = CODEC.decodeTask(new EncodedFrame(seq, text));
      assertThat(json(line).path("seq").longValue()).isEqualTo(seq);
      assertThat(frame.taskId()).isEqualTo(taskId);
      state = TaskFold.evolve(state, frame.event(), frame.head().timestampMs());
    }
    assertThat(state).isInstanceOf(TaskState.Ended.class);
    var view = TaskView.of(taskId, (TaskState.Present) state, seq);
    return new String(CODEC.status(view), StandardCharsets.UTF_8);
  }

  private static String[] names(JsonNode node) {
    return node.propertyNames().toArray(String[]::new);
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
