package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read in one sitting stays short enough for it. */
final class SizesTest {
  private static final int SOURCE_LINES_MAX = 500;
  private static final List<String> SOURCE_ENDINGS = List.of(".java", ".sql", ".sh", ".js", ".css");

  @Test
  void no_source_file_is_longer_than_a_reader_can_hold() {
    var tooLong =
        Checkout.modules().stream()
            .flatMap(it -> Checkout.filesBelow(it.resolve("src")).stream())
            .filter(it -> SOURCE_ENDINGS.stream().anyMatch(it.toString()::endsWith))
            .filter(it -> !it.toString().contains("/vendor/"))
            .filter(it -> lines(it) > SOURCE_LINES_MAX)
            .map(it -> Checkout.ROOT.relativize(it) + " has " + lines(it) + " lines")
            .toList();

    assertThat(tooLong).as("more than %d lines", SOURCE_LINES_MAX).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"README.md, 150", "ARCHITECTURE.md, 180", "STYLE.md, 150", "CONTRIBUTING.md, 80"})
  void a_root_document_keeps_to_its_length(String name, int linesMax) {
    var document = Checkout.ROOT.resolve(name);

    assertThat(lines(document)).as("lines of %s", name).isLessThanOrEqualTo(linesMax);
  }

  private static long lines(Path file) {
    return Files.exists(file) ? Checkout.read(file).lines().count() : 0;
  }
}
