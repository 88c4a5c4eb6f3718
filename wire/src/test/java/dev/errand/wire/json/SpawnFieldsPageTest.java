package dev.errand.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of fields in {@code docs/reference/http.md} is what the catalogue says. Where it
 * differs it is written again and the test fails once, so that the change is seen and committed.
 */
final class SpawnFieldsPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/http.md");
  private static final String BEGIN =
      "<!-- Written from wire.json.SpawnFields by SpawnFieldsPageTest; change the fields there. -->\n";
  private static final String END = "<!-- End of the fields of a spawn. -->\n";
  private static final List<String> SIZES = List.of("bytes", "KiB", "MiB", "GiB", "TiB", "PiB");

  private final StringBuilder table =
      new StringBuilder("\n| field | value | meaning | since |\n|---|---|---|---|\n");

  /** Where all fields of a form stand in the table, they are not told again. */
  private final Set<RequestField<?>> told = new HashSet<>();

  @Test
  void the_table_of_a_spawn_is_what_the_catalogue_says() throws IOException {
    var found = Files.readString(PAGE);
    var from = found.indexOf(BEGIN);
    var to = found.indexOf(END);
    assertThat(from).as("the marks around the table in %s", PAGE).isPositive().isLessThan(to);

    tell("", SpawnFields.FORM);
    var due = found.substring(0, from) + BEGIN + table + "\n" + found.substring(to);
    if (!found.equals(due)) {
      Files.writeString(PAGE, due);
    }

    assertThat(found)
        .as("%s was out of date and its table is written again: commit it", PAGE)
        .isEqualTo(due);
  }

  private void tell(String prefix, FieldType.Form form) {
    if (told.containsAll(form.fields())) {
      return;
    }
    told.addAll(form.fields());
    for (var field : form.fields()) {
      var path = prefix + field.name();
      table.append(row(path, field));
      switch (field.type()) {
        case FieldType.Form it -> tell(path + ".", it);
        case FieldType.OpenForm it -> tell(path + ".", it.usual());
        case FieldType.Forms it -> tell(path + "[].", it.form());
        default -> {}
      }
    }
  }

  private static String row(String path, RequestField<?> field) {
    return "| `%s` | %s | %s%s | %s |\n"
        .formatted(
            path,
            value(field),
            field.required() ? "required: " : "",
            field.meaning(),
            field.since());
  }

  private static String value(RequestField<?> field) {
    return switch (field.type()) {
      case FieldType.Text it ->
          it.charsMax() == Integer.MAX_VALUE
              ? "text"
              : "text, up to " + number(it.charsMax()) + " characters";
      case FieldType.LongText it -> "text, up to " + size(it.bytesMax());
      case FieldType.Name it -> it.allowed();
      case FieldType.Word it -> words(it.words());
      case FieldType.WordOrFlag it -> "`true`, `false`, " + words(it.words());
      case FieldType.Flag _ -> "`true` or `false`";
      case FieldType.Whole it -> whole(field.name(), it);
      case FieldType.Seconds it ->
          "seconds, " + it.min().toSeconds() + " to " + seconds(it.max().toSeconds());
      case FieldType.Timeout it -> "seconds, from " + it.min().toSeconds();
      case FieldType.Texts it -> "up to " + it.countMax() + " texts";
      case FieldType.Arguments it -> "texts, " + size(it.bytesMax()) + " in all";
      case FieldType.Variables it ->
          "up to " + it.countMax() + " texts by name, " + size(it.bytesMax()) + " in all";
      case FieldType.Form _, FieldType.OpenForm _ -> "object";
      case FieldType.Forms it -> "up to " + it.countMax() + " objects";
    };
  }

  private static String whole(String name, FieldType.Whole type) {
    if (type.max() == Long.MAX_VALUE) {
      return "whole number, from " + type.min();
    }
    var max =
        name.endsWith("_secs")
            ? seconds(type.max())
            : number(type.max())
                + (name.endsWith("_bytes")
                    ? " (" + size(type.max()) + ")"
                    : name.endsWith("_ms") ? time(Duration.ofMillis(type.max())) : "");
    return "whole number, " + number(type.min()) + " to " + max;
  }

  private static String seconds(long count) {
    return number(count) + time(Duration.ofSeconds(count));
  }

  private static String time(Duration time) {
    return time.toDays() > 0
        ? " (%d d)".formatted(time.toDays())
        : " (%d h)".formatted(time.toHours());
  }

  private static String words(List<String> words) {
    return words.stream().map(it -> "`" + it + "`").collect(Collectors.joining(", "));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String size(long bytes) {
    var unit = 0;
    var left = bytes;
    while (left >= 1_024 && left % 1_024 == 0) {
      left /= 1_024;
      unit++;
    }
    return number(left) + " " + SIZES.get(unit);
  }
}
