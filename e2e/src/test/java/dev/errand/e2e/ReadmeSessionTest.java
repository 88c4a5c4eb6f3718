package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The session that the README shows is what happens when someone types it. */
final class ReadmeSessionTest {
  private static final int STEP_SECONDS_MAX = 120;

  @Test
  void each_line_of_the_readme_gives_what_the_readme_says() throws Exception {
    var session = Session.of(Checkout.read(Checkout.ROOT.resolve("README.md")));
    assertThat(session.steps()).hasSizeGreaterThan(3);

    try (var sandbox = Sandbox.create()) {
      for (var step : session.steps()) {
        assertThat(Session.masked(type(sandbox, step.typed())))
            .as("what this prints: %s", step.typed())
            .isEqualTo(Session.masked(step.printed()));
      }
    }
  }

  /** Both outputs together, as a terminal shows them. */
  private static String type(Sandbox sandbox, String line)
      throws IOException, InterruptedException {
    var shown = Files.createTempFile(sandbox.folder(), "shown", "");
    var builder = sandbox.builder().command(List.of("bash", "-c", line));
    var path = Checkout.ROOT + ":" + builder.environment().get("PATH");
    builder.environment().put("PATH", path);
    var process =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
    if (!process.waitFor(STEP_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("this did not end: " + line);
    }
    return Files.readString(shown, StandardCharsets.UTF_8);
  }
}
