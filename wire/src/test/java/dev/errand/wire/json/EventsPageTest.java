package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** {@code docs/reference/events.md} explains every type of frame, field by field. */
final class EventsPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/events.md");
  private static final Pattern TYPE_HEADING = Pattern.compile("(?m)^## `(\\w+)`$");
  private static final String ENVELOPE = "Every frame";

  @Test
  void every_type_has_a_section_and_every_section_a_type() throws Exception {
    var sections = TYPE_HEADING.matcher(page()).results().map(it -> it.group(1)).toList();

    assertThat(sections).containsExactlyInAnyOrderElementsOf(types());
    assertThat(recorded().map(it -> it.path("type").stringValue())).containsAll(sections);
  }

  /** The words of FrameType, which a test may look up although the program must not. */
  private static Set<String> types() throws ReflectiveOperationException {
    var types = new TreeSet<String>();
    for (var field : FrameType.class.getFields()) {
      types.add((String) Objects.requireNonNull(field.get(null)));
    }
    return types;
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void every_field_of_a_recorded_frame_is_explained(JsonNode frame) throws IOException {
    var section = section("`" + frame.path("type").stringValue() + "`");
    var envelope = section(ENVELOPE);

    assertThat(frame.propertyNames())
        .allSatisfy(it -> assertThat(envelope + section).contains("`" + it + "`"));
  }

  private static String section(String title) throws IOException {
    var found =
        Stream.of(page().split("(?m)^## ", -1))
            .collect(
                Collectors.toMap(
                    it -> it.lines().findFirst().orElse(""),
                    it -> it,
                    String::concat,
                    TreeMap::new))
            .get(title);
    assertThat(found).as("a section named %s", title).isNotNull();
    return String.valueOf(found);
  }

  static Stream<JsonNode> recorded() throws IOException, URISyntaxException {
    var folder = EventsPageTest.class.getResource("golden");
    try (var files = Files.list(Path.of(Objects.requireNonNull(folder).toURI()))) {
      return files
          .filter(it -> it.getFileName().toString().startsWith("frame-"))
          .sorted()
          .map(EventsPageTest::frame)
          .collect(Collectors.collectingAndThen(Collectors.toList(), List::stream));
    }
  }

  private static JsonNode frame(Path file) {
    try {
      return Json.read(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String page() throws IOException {
    return Files.readString(PAGE);
  }
}
