package dev.errand.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.errand.core.error.ErrandException;
import dev.errand.core.policy.Basis;
import dev.errand.core.policy.Profile;
import dev.errand.core.policy.Rule;
import dev.errand.core.task.ResourceLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
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
  void an_empty_file_changes_nothing(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("config.toml"), "");

    assertThat(ConfigFile.read(file)).isEqualTo(Config.DEFAULTS);
  }

  @Test
  void what_is_no_text_of_settings_is_refused(@TempDir Path folder) throws Exception {
    var file = folder.resolve("config.toml");

    Files.write(file, "[tasks]\n# ä\n# gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1));
    assertRefused(file, "config.toml, line 2: this is not UTF-8 text");
    Files.writeString(file, "#".repeat(1 << 20) + "\n");
    assertRefused(file, "config.toml is longer than 1 MiB");
    assertRefused(folder, "is not a regular file");
    var link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
    assertRefused(link, "is not a regular file");
  }

  private static void assertRefused(Path file, String message) {
    assertThatThrownBy(() -> ConfigFile.load(file))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining(message);
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
            terminal_idle = "2h"
            enabled = false
            default_timeout_secs = 600
            max_timeout_secs = 7200
            max_concurrent_per_session = 4
            max_concurrent_global = 40
            max_depth = 2
            orphan_ttl = "1h"
            priority_step = "10s"
            max_waited_calls_per_session = 8
            service_settle = "500ms"
            on_stop = "drain"
            stop_wait_secs = 600

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

            [attach]
            max_clients = 9
            max_clients_per_task = 3
            max_message_bytes = "32KiB"
            ping = "5s"

            [wake]
            auto = true
            """,
            "config.toml");

    assertThat(config.attaching())
        .isEqualTo(new Config.Attaching(9, 3, 32 << 10, Duration.ofSeconds(5)));
    assertThat(config.syncToDisk()).isFalse();
    assertThat(config.httpListen()).isEqualTo("127.0.0.1:0");
    assertThat(config.serving().requestBytesMax()).isEqualTo(65_536);
    assertThat(config.serving().waitSecondsMax()).isEqualTo(5);
    assertThat(config.tasks())
        .isEqualTo(
            new Config.Tasks(
                false,
                2,
                3,
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                5_000,
                Duration.ofHours(2),
                false,
                new Config.Timeouts(Duration.ofMinutes(10), Duration.ofHours(2)),
                new Config.Sharing(
                    4,
                    40,
                    2,
                    Duration.ofHours(1),
                    Duration.ofSeconds(10),
                    8,
                    Duration.ofMillis(500)),
                new Config.Stopping(Config.OnStop.DRAIN, Duration.ofMinutes(10))));
    assertThat(config.waking()).isEqualTo(new Config.Waking(true));
    assertThat(config.output()).isEqualTo(new Config.Output(1 << 20, Duration.ofHours(24), 1_000));
    assertThat(config.limits()).isEqualTo(new ResourceLimits(512L << 20, 64L, 30L, 100L, 1L << 30));
  }

  @Test
  void a_policy_can_be_given() {
    var policy =
        ConfigFile.parse(
                """
                [policy]
                profile = "full-auto"
                roots = ["~/src", "/srv"]
                ask_timeout = "10m"

                [[policy.rule]]
                name = "tests"
                tool = "bash"
                match = 'npm (test|run lint)'
                decision = "allow"
                profile = "safe"
                execution_mode = "pipes"
                justification = "required"
                operators = true
                env = ["CI"]

                [[policy.rule]]
                match = 'rm -rf'
                decision = "deny"
                """,
                "config.toml")
            .policy();

    assertThat(policy.profile()).isEqualTo(Profile.FULL_AUTO);
    assertThat(policy.roots()).containsExactly("~/src", "/srv");
    assertThat(policy.askTimeout()).hasMinutes(10);
    var first = policy.rules().rules().getFirst();
    assertThat(first.basis()).isEqualTo(new Basis(1, "policy.rule 1 (tests)"));
    assertThat(first.scope())
        .isEqualTo(
            new Rule.Scope(
                "bash", Re2LinePattern.of("npm (test|run lint)"), Profile.SAFE, "pipes"));
    assertThat(first.grant()).isEqualTo(new Rule.Grant(true, Set.of("CI")));
    assertThat(first.justified()).isTrue();
    assertThat(policy.rules().rules().getLast().basis()).isEqualTo(new Basis(2, "policy.rule 2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[policy];roots = ['src']                                  | line 2: policy.roots must be folders",
        "[policy];roots = '/src'                                   | line 2: policy.roots must be a list",
        "[policy];ask_timeout = '0s'                               | line 2: policy.ask_timeout must be a time from",
        "[policy];profile = 'root'                                 | line 2: policy.profile must be one of [full-auto, safe]",
        "[policy];rule = 1                                         | line 2: policy.rule must be tables",
        "[[policy.rule]];match = 'a'                               | line 1: policy.rule.decision must be allow, ask or deny",
        "[[policy.rule]];decision = 'deny'                         | line 1: policy.rule.match must be a pattern",
        "[[policy.rule]];match = '(';decision = 'deny'             | line 2: policy.rule.match must be a pattern: missing closing )",
        "[[policy.rule]];match = '(?=a)';decision = 'deny'         | line 2: policy.rule.match must be a pattern",
        "[[policy.rule]];match = '';decision = 'deny'              | 1 to 1000 characters",
        "[[policy.rule]];match = 'a{9000}';decision = 'deny'       | line 2: policy.rule.match",
        "[[policy.rule]];match = '((a{99}){99}){99}';decision = 'deny' | multiply to too many",
        "[[policy.rule]];match = 'a';decision = 'deny';env = ['A'] | line 4: policy.rule.env must be left out",
        "[[policy.rule]];match = 'a';decision = 'ask';operators = true | line 4: policy.rule.operators must be left out",
        "[[policy.rule]];match = 'a';decision = 'deny';justification = 'required' | line 4: policy.rule.justification",
        "[[policy.rule]];match = 'a';decision = 'deny';[[policy.rule]];match = 'b';decision = 'no' | line 6: policy.rule.decision must be one of",
        "[[policy.rule]];match = 'a';decision = 'deny';[[policy.rule]];match = 'b';decision = 'ask';colour = 1 | line 7: unknown setting policy.rule.colour",
      })
  void a_bad_policy_is_refused_with_its_line(String text, String expected) {
    assertThatThrownBy(() -> ConfigFile.parse(text.replace(";", "\n"), "config.toml"))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void a_hostile_line_costs_a_pattern_no_more_than_any_other() {
    var pattern = Re2LinePattern.of("(.*a){12}$");
    var line = "a".repeat(20_000) + "!";

    assertTimeoutPreemptively(
        Duration.ofSeconds(5), () -> assertThat(pattern.occursIn(line)).isFalse());
  }

  @Test
  void a_line_broken_in_two_does_not_pass_a_rule_that_forbids_it() {
    var pattern = Re2LinePattern.of("rm.*-rf");

    assertThat(pattern.occursIn("rm \\\n -rf /")).isTrue();
    assertThat(pattern.isAllOf("rm \\\n -rf")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          durability = "always"          | line 1: durability must be one of [full, normal]
          colour = "red"                 | line 1: unknown setting colour
          tasks = 3                      | tasks must be a table
          [tasks]\\npersist = "yes"       | line 2: tasks.persist must be true or false
          [tasks]\\n\\nspeed = 3          | line 3: unknown setting tasks.speed
          [tasks]\\nmax_running_commands = 0 | line 2: tasks.max_running_commands must be a number from 1
          [tasks]\\non_stop = "wait"      | line 2: tasks.on_stop must be one of [detach, drain, kill]
          [tasks]\\nstop_wait_secs = 3601 | line 2: tasks.stop_wait_secs must be a number from 1
          [tasks]\\nstop_wait_secs = 0   | line 2: tasks.stop_wait_secs must be a number from 1
          [output]\\nretention = "soon"   | line 2: output.retention must be a time such as
          [output]\\nmax_total_bytes = "1 hogshead" | line 2: output.max_total_bytes must be a size
          [http]\\nmax_request_bytes = "2GiB" | line 2: http.max_request_bytes must be a size from 1 to
          [limits]\\ncpu_time = "10ms"    | line 2: limits.cpu_time must be a time in whole seconds
          [limits]\\nmemory = 5           | line 2: limits.memory must be a size of at least
          [output]\\nmax_total_bytes = "9999999TiB" | line 2: output.max_total_bytes must be a size
          [tasks]\\nSpeed = 3             | line 2: unknown setting tasks.Speed
          tasks.speed = 3                | line 1: unknown setting tasks.speed
          http = { listen = "a:1", speed = 3 } | line 1: unknown setting http.speed
          [output                        | config.toml, line 1:
          [http]\\nlisten = "7717"        | line 2: http.listen must be an address and a port
          [tasks]\\ngrace = "1s"\\n\\ngrace = "2s" | line 4: Duplicate key
          [tasks]\\n[http]\\n[tasks]        | line 3: Table redefined
          [tasks]\\n\\nmax_depth = 99999999999999999999 | line 3: tasks.max_depth must be a number from 0
          [tasks]\\nmax_depth = 1.0       | line 2: tasks.max_depth must be a number from 0
          [tasks]\\ngrace = 2020-01-01    | line 2: tasks.grace must be a time
          \\n\\n"sp eed" = 3              | line 3: unknown setting sp eed
          [tasks]\\n"a#b" = 3             | line 2: unknown setting tasks.a#b
          \\ntools = {x = {argv = ["a"], description = "d", speed = 1}} | line 2: unknown setting tools.x.speed
          [policy]\\nrule = [\\n{match = "a", decision = "no"}] | line 2: policy.rule.decision must be one of
          [policy]\\n\\nrule = [{match = "a", decision = "ask", colour = 1}] | line 3: unknown setting policy.rule.colour
          [policy]\\nrule = [1]           | line 2: policy.rule must be tables
          [policy.rule]\\nmatch = "a"     | line 1: policy.rule must be tables
          [tools.x]\\nargv = [1]\\ndescription = "d" | line 2: tools.x.argv must be a list of texts
          [tools.x]\\nargv = ["a"]\\ndescription = "d"\\nschema = '{"properties":{"n":{"minimum":"1"}}}' | line 4: tools.x.schema must be a JSON Schema: schema.properties.n.minimum must be of the type "number"
          [tools.x]\\nargv = ["a"]\\ndescription = "d"\\n[tools.x.schema.properties.n]\\ntype = "string"\\npattern = "(?=a)" | line 6: tools.x.schema must be a JSON Schema: schema.properties.n.pattern breaks the rule "format": "regex"
          [tools.x]\\nargv = ["a"]\\ndescription = "d"\\n[tools.x.schema.properties.n]\\nformat = "colour" | there is no format "colour"; there are [date,
          """)
  void what_is_wrong_is_named_with_its_line(String text, String message) {
    assertThatThrownBy(() -> ConfigFile.parse(text.replace("\\n", "\n"), "config.toml"))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining(message);
  }
}
