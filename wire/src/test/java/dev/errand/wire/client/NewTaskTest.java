package dev.errand.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.FieldType;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.SpawnFields;
import dev.errand.wire.json.SpawnRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The builder of the SDK reaches each field of the catalogue. */
final class NewTaskTest {
  private static final TaskId OTHER = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");

  /** What it leaves out, and why. */
  private static final Map<String, String> ABSENT =
      Map.of(
          "stdin", "sent as args.stdin",
          "args.artifact_max_bytes", "sent as artifact_max_bytes",
          "args.max_bytes", "has no effect",
          "max_output_bytes", "for the tool shell, which shows output item by item");

  private static NewTask shell() {
    return NewTask.shell("make")
        .cwd("/srv")
        .env("A", "1")
        .secret("KEY", "hidden")
        .title("t")
        .label("l")
        .session("s")
        .originSession("o")
        .justification("why")
        .timeout(Duration.ofSeconds(9))
        .idleTimeout(Duration.ofSeconds(8))
        .grace(Duration.ofSeconds(7))
        .drain(Duration.ofSeconds(6))
        .onRestart("requeue")
        .onOutputLimit("kill")
        .leftover("keep")
        .outputBytesMax(8192)
        .withStdin()
        .memoryMax(1 << 20)
        .processesMax(9)
        .cpuTimeMax(Duration.ofSeconds(5))
        .openFilesMax(9)
        .fileSizeMax(9)
        .lane("x")
        .priority("high")
        .after(List.of(OTHER))
        .afterAny(List.of(OTHER))
        .delay(Duration.ofMillis(4))
        .batch("b")
        .tells("silent")
        .service()
        .watch("a", TaskCondition.regex("x", LogStream.STDOUT))
        .watch("b", TaskCondition.port(1))
        .watch("c", TaskCondition.http("http://127.0.0.1:1/"))
        .watch("d", TaskCondition.file("f"))
        .watch("e", TaskCondition.silence(Duration.ofSeconds(1)))
        .watchOnce("f", TaskCondition.regex("x"));
  }

  private static NewTask terminal() {
    return NewTask.program(List.of("vim")).pty(50, 132).watch("p", TaskCondition.prompt());
  }

  private static Stream<NewTask> tasks() {
    var conditions =
        Stream.of(
            TaskCondition.regex("x", LogStream.STDOUT),
            TaskCondition.port(1),
            TaskCondition.http("http://127.0.0.1:1/"),
            TaskCondition.file("f"),
            TaskCondition.silence(Duration.ofSeconds(1)),
            TaskCondition.prompt());
    return Stream.concat(
        Stream.of(shell(), terminal()), conditions.map(it -> NewTask.shell("x").readyWhen(it)));
  }

  @Test
  void each_field_has_a_method_or_a_reason() {
    var reached = new TreeSet<String>();
    tasks()
        .forEach(it -> paths("", SpawnFields.FORM, Json.read(it.encode())).forEach(reached::add));

    var due = new TreeSet<>(paths("", SpawnFields.FORM).toList());
    due.removeAll(ABSENT.keySet());
    assertThat(reached).containsExactlyElementsOf(due);
  }

  @Test
  void what_it_sends_is_taken() {
    tasks()
        .forEach(it ->
            assertThat(SpawnRequest.of(Json.readRequest(it.encode())).work().tool()).isNotBlank());
  }

  /** The fields of a form that stand in this object, with all that they hold. */
  private static Stream<String> paths(String prefix, FieldType.Form form, JsonNode object) {
    return form.fields().stream()
        .filter(it -> object.has(it.name()))
        .flatMap(it ->
            Stream.concat(
                Stream.of(prefix + it.name()),
                inner(prefix + it.name(), it.type(), object.path(it.name()))));
  }

  private static Stream<String> inner(String path, FieldType type, JsonNode value) {
    return switch (type) {
      case FieldType.Form it -> paths(path + ".", it, value);
      case FieldType.OpenForm it -> paths(path + ".", it.usual(), value);
      case FieldType.Forms it ->
          value.valueStream().flatMap(one -> paths(path + "[].", it.form(), one));
      default -> Stream.empty();
    };
  }

  /** The fields of a form, with all that they hold. */
  private static Stream<String> paths(String prefix, FieldType.Form form) {
    return form.fields().stream()
        .flatMap(it ->
            Stream.concat(Stream.of(prefix + it.name()), inner(prefix + it.name(), it.type())));
  }

  private static Stream<String> inner(String path, FieldType type) {
    return switch (type) {
      case FieldType.Form it -> paths(path + ".", it);
      case FieldType.OpenForm it -> paths(path + ".", it.usual());
      case FieldType.Forms it -> paths(path + "[].", it.form());
      default -> Stream.empty();
    };
  }
}
