package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever types the start section of the README into a fresh clone gets a running task. */
final class ReadmeTest {
  private static final Duration BUILD_MAX = Duration.ofMinutes(15);
  private static final Duration TRAINING_MAX = Duration.ofMinutes(5);

  @TempDir private Path temp;

  @Test
  @Timeout(1_200)
  void the_start_section_works_from_a_fresh_clone() throws Exception {
    assumeTrue(isCheckout(), "git is missing, or this folder is no checkout of it");
    var lines = startSection();
    assertThat(lines).hasSize(3).last().isEqualTo("make check");
    var home = temp.resolve("home");
    try {
      var clone = lines.getFirst().replace("<this repository>", "'" + Checkout.ROOT + "'");
      var ran = type(home, clone + " && " + lines.get(1));

      assertThat(ran.code()).as(ran.text()).isZero();
      assertThat(ran.text()).contains("tick 1\ntick 2\ntick 3\n");
      assertThat(ran.text()).contains("errand: building");
      // To run all checks inside of one of them would never end: that make knows them must do.
      var checks = type(home, "cd errand && make --dry-run check");
      assertThat(checks.text()).contains("verify");
      // The second time nothing is built.
      var again = type(home, "cd errand && ./errand run -- echo again");
      assertThat(again.text()).isEqualTo("again\n");
    } finally {
      if (Files.exists(temp.resolve("errand/errand"))) {
        type(home, "ERRAND_NO_BUILD=1 errand/errand down --all");
        // The first use trains the start caches in the background, in the folder that goes now.
        await().atMost(TRAINING_MAX).until(() -> !isTraining());
      }
    }
  }

  private boolean isTraining() throws IOException {
    try (var folders = Files.newDirectoryStream(temp.resolve("errand/target"), "train.*")) {
      for (var folder : folders) {
        if (!Files.exists(folder.resolve(".done"))) {
          return true;
        }
      }
      return false;
    }
  }

  private static List<String> startSection() {
    var readme = Checkout.read(Checkout.ROOT.resolve("README.md"));
    var section = readme.substring(readme.indexOf("\n## Start\n"));
    var block = section.split("```\n", 3)[1];
    return block.lines().toList();
  }

  private record Typed(int code, String text) {}

  /** Both outputs together, as a terminal shows them. */
  private Typed type(Path home, String line) throws IOException, InterruptedException {
    var shown = Files.createTempFile(temp, "shown", "");
    var builder = new ProcessBuilder("bash", "-c", line).directory(temp.toFile());
    builder.environment().keySet().removeIf(it -> it.startsWith("ERRAND_"));
    builder.environment().put("ERRAND_HOME", home.toString());
    var process =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
    if (!process.waitFor(BUILD_MAX)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("this did not end: " + line + "\n" + Files.readString(shown));
    }
    return new Typed(process.exitValue(), Files.readString(shown));
  }

  private static boolean isCheckout() throws IOException, InterruptedException {
    var question = "git -C '" + Checkout.ROOT + "' rev-parse --git-dir >/dev/null 2>&1";
    return new ProcessBuilder("sh", "-c", question).start().waitFor() == 0;
  }
}
