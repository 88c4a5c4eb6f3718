package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the reference says of HTTP is what the surface does. */
final class ReferencePagesTest {
  private static final Path ROOT = Path.of(System.getProperty("errand.root", ".."));

  @Test
  void the_page_of_errors_lists_every_code_with_its_status() throws IOException {
    var due =
        Stream.of(ErrorCode.values())
            .map(it -> "%s %d %s".formatted(it, status(it), it.retryable() ? "yes" : "no"));

    var row = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (\\d+) \\| (yes|no) \\| \\S");
    assertThat(found(row, Path.of("docs/reference/errors.md")))
        .containsExactlyElementsOf(due.toList());
  }

  private static int status(ErrorCode code) {
    return Problems.of(code, "").status();
  }

  @Test
  void the_page_of_http_has_a_heading_for_every_route() throws IOException {
    var heading = Pattern.compile("(?m)^### `([A-Z]+) (/[^`]*)`");

    assertThat(found(heading, Path.of("docs/reference/http.md")))
        .containsExactlyInAnyOrderElementsOf(RouteSources.all());
  }

  /** The groups of each place in that file where the pattern matches. */
  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .map(ReferencePagesTest::groups)
        .toList();
  }

  private static String groups(MatchResult match) {
    return Stream.iterate(1, it -> it <= match.groupCount(), it -> it + 1)
        .map(match::group)
        .reduce((left, right) -> left + " " + right)
        .orElseThrow();
  }
}
