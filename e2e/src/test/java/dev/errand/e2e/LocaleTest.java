package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Words and folders beyond ASCII where no locale knows them, as under cron and in containers: they
 * reach the task as they were typed, or are refused.
 *
 * <p>A shell writes the bytes: what this JVM can pass on depends on its own locale.
 */
@Timeout(180)
final class LocaleTest {
  private static final String WORD = "\"$(printf '\\303\\244\\342\\202\\254')\"";

  private static Typed type(Sandbox sandbox, String line) throws IOException, InterruptedException {
    var out = Files.createTempFile(sandbox.folder(), "out", "");
    var err = Files.createTempFile(sandbox.folder(), "err", "");
    var builder = sandbox.builder().command(List.of("bash", "-c", line));
    var path = Checkout.ROOT + ":" + builder.environment().get("PATH");
    builder.environment().put("PATH", path);
    builder.environment().put("LC_ALL", "C");
    var process =
        builder
            .directory(sandbox.folder().toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", line).isTrue();
    return new Typed(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, ISO_8859_1));
  }

  private record Typed(int status, String out, String err) {}

  @Test
  void words_and_folders_reach_a_task_as_they_were_typed_in_any_locale() throws Exception {
    try (var sandbox = Sandbox.create()) {
      assertThat(type(sandbox, "errand run -- printf %s " + WORD).out()).isEqualTo("ä€");
      assertThat(type(sandbox, "errand run -c \"printf %s \"" + WORD).out()).isEqualTo("ä€");
      var inside = type(sandbox, "mkdir %1$s && cd %1$s && errand run -- pwd".formatted(WORD));
      assertThat(inside.out()).endsWith("/ä€\n");
      assertThat(type(sandbox, "errand run --cwd %s -- pwd".formatted(WORD)).out())
          .endsWith("/ä€\n");
      var seen = type(sandbox, "errand run -c 'echo $LC_ALL ${ERRAND_LC_ALL-none}'");
      assertThat(seen.out()).isEqualTo("C none\n");
    }
  }

  @Test
  void a_word_that_is_no_text_is_refused_and_nothing_runs() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var refused = type(sandbox, "errand run -- touch made \"$(printf 'a\\377b')\"");

      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err()).contains("not valid UTF-8", "file");
      assertThat(sandbox.folder().resolve("made")).doesNotExist();
    }
  }
}
