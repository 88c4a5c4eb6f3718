package dev.errand.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationTest {
  private Path file = Path.of("");

  @BeforeEach
  void prepare(@TempDir Path folder) {
    file = folder.resolve("config.toml");
  }

  private void write(String... lines) throws IOException {
    Files.writeString(file, String.join("\n", lines));
  }

  @Test
  void a_live_setting_counts_from_the_next_look() throws IOException {
    var configuration = Configuration.open(file, null);
    write("[output]", "retention = \"1h\"");

    var reloaded = configuration.reload();

    assertThat(configuration.get().output().retention()).isEqualTo(Duration.ofHours(1));
    assertThat(reloaded.changed())
        .containsExactly(new Configuration.Change("output.retention", "\"7d\"", "\"1h\""));
    assertThat(reloaded.afterRestart()).isEmpty();
    assertThat(configuration.reload().changed()).isEmpty();
  }

  @Test
  void a_schema_is_shown_as_it_was_given_as_a_table_or_as_a_text() throws IOException {
    write(
        "[tools.one]",
        "argv = [\"/bin/true\"]",
        "description = \"one\"",
        "schema = '{\"type\": \"object\"}'",
        "[tools.two]",
        "argv = [\"/bin/true\"]",
        "description = \"two\"",
        "schema = {type = \"object\"}");

    var settings = ConfigJson.of(Configuration.open(file, null).listing()).path("settings");

    assertThat(
            settings.valueStream().filter(it -> it.path("key").stringValue("").endsWith(".schema")))
        .extracting(it -> it.path("value").toString())
        .containsExactlyInAnyOrder("\"{\\\"type\\\": \\\"object\\\"}\"", "{\"type\":\"object\"}");
  }

  @Test
  void what_becomes_of_tasks_at_a_stop_can_be_changed_while_the_daemon_runs() throws IOException {
    var configuration = Configuration.open(file, null);
    assertThat(configuration.get().tasks().stopping())
        .isEqualTo(new Config.Stopping(Config.OnStop.DETACH, Duration.ofSeconds(30)));
    write("[tasks]", "on_stop = \"kill\"", "stop_wait_secs = 5");

    var reloaded = configuration.reload();

    assertThat(configuration.get().tasks().stopping())
        .isEqualTo(new Config.Stopping(Config.OnStop.KILL, Duration.ofSeconds(5)));
    assertThat(reloaded.changed())
        .extracting(Configuration.Change::key)
        .containsExactly("tasks.on_stop", "tasks.stop_wait_secs");
    assertThat(reloaded.afterRestart()).isEmpty();
  }

  @Test
  void who_cannot_ask_each_time_is_told() throws IOException {
    var configuration = Configuration.open(file, null);
    var told = new ArrayList<Duration>();
    configuration.onReload(it -> told.add(it.output().retention()));
    write("[output]", "retention = \"1h\"");

    configuration.reload();

    assertThat(told).containsExactly(Duration.ofHours(1));
  }

  @Test
  void any_other_waits_for_a_restart_and_is_told_each_time() throws IOException {
    var configuration = Configuration.open(file, null);
    write("durability = \"normal\"");
    var change = new Configuration.Change("durability", "\"full\"", "\"normal\"");

    assertThat(configuration.reload())
        .isEqualTo(new Configuration.Reloaded(List.of(), List.of(change)));
    assertThat(configuration.reload().afterRestart()).containsExactly(change);
    var shown = shown(configuration, "durability");
    assertThat(shown.setting().value()).isEqualTo("\"full\"");
    assertThat(shown.afterRestart()).isEqualTo("\"normal\"");
  }

  @Test
  void a_bad_file_changes_nothing_and_is_told_with_its_line() throws IOException {
    write("[output]", "retention = \"1h\"");
    var configuration = Configuration.open(file, null);
    write("[output]", "retention = \"2h\"", "max_total_bytes = \"much\"");

    assertThatThrownBy(configuration::reload)
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("config.toml, line 3: output.max_total_bytes must be a size");
    assertThat(configuration.get().output().retention()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void a_value_is_shown_with_its_origin() throws IOException {
    write("", "[output]", "", "retention = \"1h\"");
    var configuration = Configuration.open(file, "127.0.0.1:0");

    assertThat(shown(configuration, "output.retention").setting().origin())
        .isEqualTo(new Setting.Origin.File(4));
    assertThat(shown(configuration, "output.max_total_bytes").setting().origin())
        .isEqualTo(new Setting.Origin.Standard());
    var listen = shown(configuration, "http.listen").setting();
    assertThat(listen.origin()).isEqualTo(new Setting.Origin.CommandLine());
    assertThat(listen.value()).isEqualTo("\"127.0.0.1:0\"");
    assertThat(configuration.get().httpListen()).isEqualTo("127.0.0.1:0");
  }

  @Test
  void rules_come_and_go() throws IOException {
    write("[[policy.rule]]", "match = 'a'", "decision = 'deny'");
    var configuration = Configuration.open(file, null);
    write("[[policy.rule]]", "match = 'a'", "decision = 'ask'", "name = 'careful'");

    assertThat(configuration.reload().changed())
        .contains(
            new Configuration.Change("policy.rule.1.decision", "\"deny\"", "\"ask\""),
            new Configuration.Change("policy.rule.1.name", "none", "\"careful\""));
    write("");
    assertThat(configuration.reload().changed())
        .contains(new Configuration.Change("policy.rule", "1", "none"));
    assertThat(configuration.get().policy().rules().rules()).isEmpty();
  }

  private static Configuration.InForce shown(Configuration configuration, String key) {
    return configuration.settings().stream()
        .filter(it -> it.setting().key().equals(key))
        .findFirst()
        .orElseThrow();
  }
}
