package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The reader holds each field to what the catalogue says of it. */
final class SpawnFieldsTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** A field, and the names of the objects that it stands in. */
  record Place(List<String> path, RequestField<?> field) {
    ObjectNode body(JsonNode value) {
      var body = NODES.objectNode().put("tool", "bash");
      body.putObject("args").put("command", "x");
      if (List.of("rows", "cols").contains(field.name())) {
        body.put("execution_mode", "pty");
      }
      var owner = body;
      for (var name : path) {
        owner = name.equals("watch") ? watcher(owner) : owner.withObjectProperty(name);
      }
      owner.set(field.name(), value);
      if (field.name().equals("scope")) {
        owner.put("regex", "x");
      }
      return body;
    }

    private ObjectNode watcher(ObjectNode body) {
      var watcher = body.withArray("watch").addObject().put("event", "e");
      return ConditionKind.WATCHED.stream().anyMatch(it -> it.watchField().equals(field.name()))
          ? watcher
          : watcher.put("regex", "x");
    }

    @Override
    public String toString() {
      return String.join(".", path) + "." + field.name();
    }
  }

  static Stream<Place> places() {
    return places(List.of(), SpawnFields.FORM)
        .filter(it -> !List.of("tool", "args", "command", "argv").contains(it.field().name()));
  }

  private static Stream<Place> places(List<String> path, FieldType.Form form) {
    return form.fields().stream()
        .flatMap(it -> Stream.concat(Stream.of(new Place(path, it)), inner(path, it)));
  }

  private static Stream<Place> inner(List<String> path, RequestField<?> field) {
    var below = Stream.concat(path.stream(), Stream.of(field.name())).toList();
    return switch (field.type()) {
      case FieldType.Form it -> places(below, it);
      case FieldType.OpenForm it -> places(below, it.usual());
      case FieldType.Forms it -> places(below, it.form());
      default -> Stream.empty();
    };
  }

  @ParameterizedTest
  @MethodSource("places")
  void what_lies_within_the_bounds_is_taken(Place place) {
    for (var value : within(place.field().type())) {
      assertThatCode(() -> SpawnRequest.of(place.body(value)))
          .as("%s", place.body(value))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void what_lies_beyond_the_bounds_is_refused_by_name(Place place) {
    for (var value : beyond(place.field().type())) {
      assertThatThrownBy(() -> SpawnRequest.of(place.body(value)))
          .as("%s", value)
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining(place.field().name());
    }
  }

  private static List<JsonNode> within(FieldType type) {
    return switch (type) {
      case FieldType.Text it -> List.of(text(1), text(Math.min(it.charsMax(), 5_000)));
      case FieldType.LongText it -> List.of(text(it.bytesMax() - 1));
      case FieldType.Name it -> List.of(text(1), text(it.charsMax()));
      case FieldType.Word it -> words(it.words());
      case FieldType.WordOrFlag it ->
          Stream.concat(words(it.words()).stream(), Stream.of(flag(true), flag(false))).toList();
      case FieldType.Flag _ -> List.of(flag(true));
      case FieldType.Whole it -> List.of(NODES.numberNode(it.min()), NODES.numberNode(it.max()));
      case FieldType.Seconds it ->
          List.of(
              NODES.numberNode(it.min().toSeconds()),
              NODES.numberNode(it.max().toSeconds()),
              NODES.numberNode(it.min().toSeconds() + 0.5));
      case FieldType.Timeout it -> List.of(NODES.numberNode(it.min().toSeconds()));
      case FieldType.Texts _, FieldType.Arguments _ -> List.of(NODES.arrayNode());
      case FieldType.Variables it -> List.of(NODES.objectNode(), variables(it.countMax()));
      case FieldType.Form _, FieldType.OpenForm _, FieldType.Forms _ -> List.of();
    };
  }

  private static List<JsonNode> beyond(FieldType type) {
    return switch (type) {
      case FieldType.Text it -> List.of(flag(true), text(it.charsMax() + 1));
      case FieldType.LongText it -> List.of(flag(true), text(it.bytesMax()));
      case FieldType.Name it -> List.of(flag(true), text(0), text(it.charsMax() + 1));
      case FieldType.Word _ -> List.of(flag(true), text(3));
      case FieldType.WordOrFlag _ -> List.of(NODES.numberNode(1), text(3));
      case FieldType.Flag _ -> List.of(NODES.numberNode(1), text(1));
      case FieldType.Whole it ->
          List.of(NODES.numberNode(it.min() - 1), NODES.numberNode(it.max() + 1), text(1));
      case FieldType.Seconds it ->
          List.of(
              NODES.numberNode(it.min().toSeconds() - 1),
              NODES.numberNode(it.max().toSeconds() + 1),
              text(1));
      case FieldType.Timeout it -> List.of(NODES.numberNode(it.min().toSeconds() - 1), text(1));
      case FieldType.Texts it -> List.of(text(1), texts(it.countMax() + 1));
      case FieldType.Arguments _ -> List.of(text(1));
      case FieldType.Variables it -> List.of(text(1), variables(it.countMax() + 1));
      case FieldType.Form _, FieldType.Forms _ -> List.of(text(1));
      case FieldType.OpenForm _ -> List.of();
    };
  }

  private static JsonNode flag(boolean value) {
    return NODES.booleanNode(value);
  }

  private static JsonNode text(int chars) {
    return NODES.stringNode("x".repeat(chars));
  }

  private static List<JsonNode> words(List<String> words) {
    return words.stream().<JsonNode>map(NODES::stringNode).toList();
  }

  /** Ids of tasks, since some fields take nothing else. */
  private static JsonNode texts(int count) {
    var array = NODES.arrayNode();
    for (var i = 0; i < count; i++) {
      array.add("00000000-0000-7000-8000-%012d".formatted(i));
    }
    return array;
  }

  private static JsonNode variables(int count) {
    var object = NODES.objectNode();
    for (var i = 0; i < count; i++) {
      object.put("V" + i, "x");
    }
    return object;
  }

  /** The command line starts with the client, and pays for each class that it loads. */
  @Test
  void the_client_does_not_use_the_catalogue() throws IOException, URISyntaxException {
    var client = Objects.requireNonNull(NewTask.class.getResource("NewTask.class"));
    try (var classes = Files.list(Path.of(client.toURI()).resolveSibling("."))) {
      assertThat(classes)
          .isNotEmpty()
          .allSatisfy(it ->
              assertThat(Files.readString(it, StandardCharsets.ISO_8859_1))
                  .doesNotContain(
                      "wire/json/SpawnFields", "wire/json/RequestField", "wire/json/FieldType"));
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void every_field_says_what_it_means_in_one_line(Place place) {
    assertThat(place.field().meaning())
        .isNotBlank()
        .doesNotContain("\n", "|", "`")
        .doesNotEndWith(".");
    assertThat(place.field().since()).matches("\\d+\\.\\d+\\.\\d+");
    if (place.field().type() instanceof FieldType.Form it) {
      assertThat(new TreeSet<>(it.names())).as("no name twice").hasSameSizeAs(it.names());
    }
  }
}
