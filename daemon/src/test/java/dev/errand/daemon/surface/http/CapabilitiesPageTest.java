package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/reference/capabilities.md} names only routes, tools and verbs that there are. */
final class CapabilitiesPageTest {
  private static final Path ROOT = Path.of(System.getProperty("errand.root", ".."));

  @TempDir Path folder;

  @Test
  void every_route_tool_and_verb_on_the_page_is_there() throws IOException {
    var page = read("capabilities.md");
    var http = read("http.md");
    var cli = read("cli.md");

    assertThat(found("`((?:GET|POST|PUT|DELETE) /[^`?]*)`", page))
        .isNotEmpty()
        .allMatch(it -> http.contains("### `" + it + "`"));
    assertThat(found("`errand ([a-z]+)[^`]*`", page))
        .isNotEmpty()
        .allMatch(it -> cli.contains("## errand " + it + "\n"));
    var tools = new ArrayList<String>();
    try (var surface = Surface.start(folder)) {
      Surface.json(surface.get("/tools"))
          .forEach(it -> tools.add(it.path("name").stringValue("").replace("tool_", "tool.")));
    }
    assertThat(tools).containsAll(found("`(tool\\.[a-z_]+)`", page)).contains("shell");
    tools.removeIf(it -> !it.startsWith("tool."));
    assertThat(found("(?m)^\\| `(tool\\.[a-z_]+)` \\|", page))
        .containsExactlyInAnyOrderElementsOf(tools);
    assertThat(found("(?m)^\\| `((?:context|ui|execution)\\.[a-z_.]+)` \\|", page))
        .containsExactlyInAnyOrder(
            "context.refs.artifact",
            "ui.background_tasks",
            "execution.rpc",
            "execution.resume_session");
  }

  private static String read(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs/reference").resolve(name));
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(it -> it.group(1)).toList();
  }
}
