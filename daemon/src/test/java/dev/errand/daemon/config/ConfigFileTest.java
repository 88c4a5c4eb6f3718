package dev.errand.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.ResourceLimits;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {

  @Test
  void without_a_file_the_defaults_hold(@TempDir Path folder) throws Exception {
    assertThat(ConfigFile.read(folder.resolve("config.toml"))).isEqualTo(Config.DEFAULTS);
  }

  @Test
  void every_setting_can_be_given() {
    var config =
        ConfigFile.parse(
            """
            durability = "normal"

            [http]
            listen = "127.0.0.1:0"
            max_request_bytes = "64KiB"
            max_wait_secs = 5

            [tasks]
            persist = false
            max_running_commands = 2
            max_queued_per_session = 3
            grace = "500ms"
            drain = "1s"
            max_frames_per_task = 5000

            [output]
            max_bytes_per_stream = "1MiB"
            retention = "24h"
            max_total_bytes = 1000

            [limits]
            memory = "512MiB"
            processes = 64
            cpu_time = "30s"
            open_files = 100
            file_size = "1GiB"
            """,
            "config.toml");

    assertThat(config.syncToDisk()).isFalse();
    assertThat(config.httpListen()).isEqualTo("127.0.0.1:0");
    assertThat(config.serving().requestBytesMax()).isEqualTo(65_536);
    assertThat(config.serving().waitSecondsMax()).isEqualTo(5);
    assertThat(config.tasks())
        .isEqualTo(
            new Config.Tasks(false, 2, 3, Duration.ofMillis(500), Duration.ofSeconds(1), 5_000));
    assertThat(config.output()).isEqualTo(new Config.Output(1 << 20, Duration.ofHours(24), 1_000));
    assertThat(config.limits()).isEqualTo(new ResourceLimits(512L << 20, 64L, 30L, 100L, 1L << 30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          durability = "always"          | line 1: durability must be one of [full, normal]
          colour = "red"                 | line 1: there is no setting colour
          tasks = 3                      | tasks must be a table
          [tasks]\\npersist = "yes"       | line 2: tasks.persist must be true or false
          [tasks]\\n\\nspeed = 3          | line 3: there is no setting tasks.speed
          [tasks]\\nmax_running_commands = 0 | line 2: tasks.max_running_commands must be a number from 1
          [output]\\nretention = "soon"   | line 2: output.retention must be a time such as
          [output]\\nmax_total_bytes = "1 hogshead" | line 2: output.max_total_bytes must be a size
          [http]\\nmax_request_bytes = "2GiB" | line 2: http.max_request_bytes must be a size from 1 to
          [limits]\\ncpu_time = "10ms"    | line 2: limits.cpu_time must be a time in whole seconds
          [limits]\\nmemory = 5           | line 2: limits.memory must be a size of at least
          [output                        | config.toml, line 1:
          """)
  void what_is_wrong_is_named_with_its_line(String text, String message) {
    assertThatThrownBy(() -> ConfigFile.parse(text.replace("\\n", "\n"), "config.toml"))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining(message);
  }
}
