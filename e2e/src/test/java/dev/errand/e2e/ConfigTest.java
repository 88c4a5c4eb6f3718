package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Settings of the real program: shown, checked, and read again while it runs. */
@Timeout(120)
final class ConfigTest {

  @Test
  void settings_are_shown_and_checked_without_a_daemon_and_a_bad_file_starts_none()
      throws Exception {
    try (var sandbox = Sandbox.create("[output]\nretention = \"1h\"\n")) {
      assertThat(sandbox.errand("config", "output.retention").line()).isEqualTo("\"1h\"");
      assertThat(sandbox.errand("config", "output").out()).contains("config.toml line 2");

      var bad = Files.writeString(sandbox.folder().resolve("bad.toml"), "[tasks]\n\nspeed = 3\n");
      var refused = sandbox.errand("config", "--check", bad.toString());
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("bad.toml, line 3: unknown setting tasks.speed; use one of: ");
      var right = sandbox.home().config().toString();
      assertThat(sandbox.errand("config", "--check", right).line()).endsWith("is right");

      var pipe = sandbox.errandGiven("[http]\nlisten = 1\n", "config", "--check", "/dev/stdin");
      assertThat(pipe.code()).isEqualTo(2);
      assertThat(pipe.err()).contains("/dev/stdin, line 2: http.listen must be a text");
      var piped = "cat '%s' | '%s' config --check /dev/stdin".formatted(bad, launcher());
      var shell = sandbox.builder().command("sh", "-c", piped);
      assertThat(sandbox.finish(shell).err()).contains("/dev/stdin, line 3: unknown setting");
      var folder = sandbox.errand("config", "--check", sandbox.folder().toString());
      assertThat(folder.code()).isEqualTo(2);
      assertThat(folder.err()).contains("is a folder");

      Files.copy(bad, sandbox.home().config(), StandardCopyOption.REPLACE_EXISTING);
      var up = sandbox.errand("up");
      assertThat(up.code()).isEqualTo(4);
      assertThat(up.err())
          .contains("config.toml, line 3: unknown setting tasks.speed; use one of: ");
    }
  }

  private static Path launcher() {
    return Checkout.ROOT.resolve("errand");
  }

  @Test
  void a_hang_up_makes_the_daemon_read_its_settings_again() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      assertThat(spawnFor(sandbox, "3600")).isZero();

      Files.writeString(
          sandbox.home().config(), "durability = \"normal\"\n[tasks]\nmax_timeout_secs = 60\n");
      hangUp(sandbox);
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> log(sandbox).contains("changed: [tasks.max_timeout_secs]"));

      assertThat(log(sandbox)).contains("after a restart: [durability]");
      assertThat(spawnFor(sandbox, "3600")).isEqualTo(3);
      assertThat(sandbox.errand("config", "durability").line()).isEqualTo("\"full\"");

      Files.writeString(sandbox.home().config(), "[tasks]\nmax_timeout_secs = \"long\"\n");
      hangUp(sandbox);
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> log(sandbox).contains("line 2: tasks.max_timeout_secs must be a number"));
      assertThat(sandbox.errand("reload").code()).isEqualTo(3);
      assertThat(spawnFor(sandbox, "3600")).isEqualTo(3);
      assertThat(spawnFor(sandbox, "60")).isZero();
    }
  }

  private static int spawnFor(Sandbox sandbox, String seconds) throws Exception {
    return sandbox.errand("spawn", "--timeout", seconds + "s", "--", "true").code();
  }

  private static void hangUp(Sandbox sandbox) throws Exception {
    new ProcessBuilder("kill", "-HUP", Long.toString(sandbox.daemonPid())).start().waitFor();
  }

  private static String log(Sandbox sandbox) throws IOException {
    return Files.readString(sandbox.home().daemonLog());
  }
}
