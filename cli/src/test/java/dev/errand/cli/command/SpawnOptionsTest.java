package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.json.FieldType;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.SpawnFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The options of {@code run} and {@code spawn} reach each field of the catalogue. */
final class SpawnOptionsTest extends CliCase {
  private static final String SETTING = "a person sets it for all tasks in the configuration";
  private static final String REGEX_ONLY = "--watch is for lines of the output";

  /** What they leave out, and why. */
  private static final Map<String, String> ABSENT =
      Map.ofEntries(
          entry("stdin", "sent as args.stdin"),
          entry("args.artifact_max_bytes", "sent as artifact_max_bytes"),
          entry("args.max_bytes", "has no effect"),
          entry("origin_session_id", "for programs that ask on behalf of others"),
          entry("max_output_bytes", "for the tool shell, which shows output item by item"),
          entry("grace_secs", SETTING),
          entry("drain_secs", SETTING),
          entry("leftover", "errand run waits for all output, so it ends what is left"),
          entry("watch[].once", "a person who looks can do without the repeats"),
          entry("watch[].scope", REGEX_ONLY),
          entry("watch[].port", REGEX_ONLY),
          entry("watch[].http", REGEX_ONLY),
          entry("watch[].file", REGEX_ONLY),
          entry("watch[].silence_ms", REGEX_ONLY),
          entry("watch[].prompt", REGEX_ONLY),
          entry("ready_when.scope", "either stream may tell that it is ready"));

  private static final List<List<String>> LINES =
      List.of(
          List.of(
              "--cwd",
              "/",
              "--env",
              "A=1",
              "--secret",
              "KEY=hidden",
              "--title",
              "t",
              "--name",
              "l",
              "--session",
              "s",
              "--why",
              "w",
              "--timeout",
              "9s",
              "--idle-timeout",
              "8s",
              "--on-restart",
              "requeue",
              "--on-output-limit",
              "kill",
              "--max-output",
              "8KiB",
              "--memory",
              "1MiB",
              "--processes",
              "9",
              "--cpu-time",
              "5s",
              "--open-files",
              "9",
              "--file-size",
              "9",
              "--lane",
              "x",
              "--priority",
              "high",
              "--after",
              ID,
              "--after-any",
              ID,
              "--delay",
              "4ms",
              "--batch",
              "b",
              "--notify",
              "silent",
              "--service",
              "--stdin",
              "--watch",
              "e=x",
              "--command",
              "make"),
          List.of("--terminal", "--rows", "50", "--cols", "132", "--", "vim"),
          List.of("--ready-when", "text:x", "--", "x"),
          List.of("--ready-when", "port:1", "--", "x"),
          List.of("--ready-when", "http://127.0.0.1:1/", "--", "x"),
          List.of("--ready-when", "file:f", "--", "x"),
          List.of("--ready-when", "silence:1s", "--", "x"),
          List.of("--ready-when", "prompt", "--", "x"));

  @Test
  void each_field_has_an_option_or_a_reason() {
    cli.daemon.on("POST /tasks", "{'task_id':'" + ID + "'}");
    var reached = new TreeSet<String>();
    for (var line : LINES) {
      var words = Stream.concat(Stream.of("spawn"), line.stream()).toArray(String[]::new);
      assertThat(cli.run(words)).as("%s", line).isZero();
      var body = Json.read(cli.sent("POST /tasks").getBytes(StandardCharsets.UTF_8));
      paths("", SpawnFields.FORM, body).forEach(reached::add);
    }

    var due = new TreeSet<>(paths("", SpawnFields.FORM).toList());
    due.removeAll(ABSENT.keySet());
    assertThat(reached).containsExactlyElementsOf(due);
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
