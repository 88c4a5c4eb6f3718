package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

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

  @Test
  void declared_tools_are_shown_with_their_schemas_over_http_and_by_the_command_line()
      throws Exception {
    var settings =
        """
        [http]
        listen = "127.0.0.1:0"
        [policy]
        profile = "full-auto"
        [tools.lines]
        argv = ["cat"]
        description = "One schema over several lines."
        schema = '''
        {
          "properties": {"path": {"type": "string", "pattern": "^\\\\w+$"}}
        }
        '''
        [tools.table]
        argv = ["cat"]
        description = "One as a table."
        [tools.table.schema.properties.path]
        type = "string"
        [tools.plain]
        argv = ["cat"]
        description = "None."
        """;
    try (var sandbox = Sandbox.create(settings)) {
      assertThat(sandbox.errand("config").succeeded().out()).contains("tools.lines.schema");
      sandbox.serve();

      var shown = sandbox.errand("config", "tools", "--json").jsonLines();
      assertThat(value(shown, "tools.lines.schema"))
          .contains("\\\"path\\\": {\\\"type\\\": \\\"string\\\"");
      assertThat(value(shown, "tools.table.schema"))
          .isEqualTo("{\"properties\":{\"path\":{\"type\":\"string\"}}}");
      assertThat(value(shown, "tools.plain.schema")).isEqualTo("null");
      assertThat(sandbox.errand("config", "tools.lines.schema").line()).contains("properties");
      var answer = sandbox.get("/admin/config", "");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("tools.lines.schema");
    }
  }

  private static String value(List<JsonNode> settings, String key) {
    return settings.stream()
        .filter(it -> it.path("key").stringValue("").equals(key))
        .map(it -> it.path("value").toString())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tools_that_are_switched_off_are_not_listed_until_a_reload_switches_them_on()
      throws Exception {
    try (var sandbox = Sandbox.create("[tasks]\nenabled = false\n")) {
      sandbox.serve();
      assertThat(sandbox.errand("tool").succeeded().out())
          .contains("shell")
          .doesNotContain("task_list", "background_task");

      Files.writeString(sandbox.home().config(), "[tasks]\nenabled = true\n");
      sandbox.errand("reload").succeeded();
      assertThat(sandbox.errand("tool").succeeded().out()).contains("task_list", "background_task");

      Files.writeString(sandbox.home().config(), "[tasks]\nenabled = false\n");
      sandbox.errand("reload").succeeded();
      assertThat(sandbox.errand("tool").succeeded().out()).doesNotContain("task_list");
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
