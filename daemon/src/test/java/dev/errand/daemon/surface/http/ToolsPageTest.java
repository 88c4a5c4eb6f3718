package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code docs/reference/tools.md} is what the tools say of themselves. Where it differs it is
 * written anew and the test fails once, so that the change is seen and committed.
 */
final class ToolsPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/tools.md");

  @TempDir Path folder;

  @Test
  void the_reference_says_what_the_tools_say() throws IOException {
    var due = page();
    var found = Files.exists(PAGE) ? Files.readString(PAGE) : "";
    if (!found.equals(due)) {
      Files.writeString(PAGE, due);
    }

    assertThat(found).as("%s was out of date and is written anew: commit it", PAGE).isEqualTo(due);
  }

  private String page() throws IOException {
    var page = new StringBuilder();
    page.append(
        """
        # Tools

        Written from the catalogue by `ToolsPageTest`; change the tools, not this page.

        An agent calls a tool by its name with arguments as a JSON object: `POST /tools/{name}` ([HTTP](http.md#tools)), or
        `errand tool NAME '{…}'`. The answer has a structured result and a short text, which holds no control characters. Arguments that
        a tool does not know are refused by name. Tasks are found within the caller's session, and what tasks of it have started. Every tool that starts a
        task takes `batch_id`; tools of the configuration take it beside their own arguments, as `?batch_id=` or `--batch`, and `session_id` likewise.
        """);
    try (var surface = Surface.start(folder)) {
      var tools = new ArrayList<JsonNode>();
      var toolsets = new LinkedHashSet<String>();
      for (var tool : Surface.json(surface.get("/tools"))) {
        tools.add(tool);
        toolsets.add(tool.path("toolset").stringValue(""));
      }
      for (var toolset : toolsets) {
        page.append("\n## Toolset `").append(toolset).append("`\n");
        tools.stream()
            .filter(it -> it.path("toolset").stringValue("").equals(toolset))
            .forEach(it -> describe(it, page));
      }
    }
    return page.toString();
  }

  private static void describe(JsonNode tool, StringBuilder page) {
    page.append("\n### `").append(tool.path("name").stringValue("")).append("`\n\n");
    page.append(tool.path("description").stringValue("")).append('\n');
    var words = new ArrayList<String>();
    for (var annotation : tool.path("annotations").properties()) {
      if (annotation.getValue().booleanValue(false)) {
        words.add(annotation.getKey().replace('_', '-'));
      }
    }
    if (!words.isEmpty()) {
      page.append("\nIt is ").append(String.join(", ", words)).append(".\n");
    }
    page.append("\n| argument | type | meaning |\n|---|---|---|\n");
    var schema = tool.path("input_schema");
    for (var property : schema.path("properties").properties()) {
      page.append(row(property.getKey(), property.getValue(), schema));
    }
  }

  private static String row(String name, JsonNode property, JsonNode schema) {
    var required =
        schema.path("required").valueStream().anyMatch(it -> it.stringValue("").equals(name));
    var words =
        property.path("enum").valueStream().map(it -> "`" + it.stringValue("") + "`").toList();
    return "| `%s` | %s | %s%s |\n"
        .formatted(
            name,
            words.isEmpty() ? type(property) : String.join(" ", words),
            required ? "required: " : "",
            property.path("description").stringValue(""));
  }

  private static String type(JsonNode property) {
    var types = property.path("type");
    return types.isArray()
        ? String.join(" or ", types.valueStream().map(it -> it.stringValue("")).toList())
        : types.stringValue("any");
  }
}
