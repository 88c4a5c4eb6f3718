package dev.errand.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConfigVerbsTest extends CliCase {

  @BeforeEach
  void answer() {
    cli.daemon.on(
        "GET /admin/config",
        """
        {'file':'/srv/errand/config.toml','settings':[
        {'key':'durability','kind':'word','value':'full','default':'full','origin':'default',
        'reload':false,'after_restart':'normal'},
        {'key':'output.retention','kind':'time','value':'1h','default':'7d','origin':'file','line':4,
        'reload':true},
        {'key':'http.listen','kind':'text','value':null,'default':null,'origin':'command_line'}]}
        """);
  }

  @Test
  void config_shows_each_value_and_where_it_comes_from() {
    assertThat(cli.run("config")).isZero();

    assertThat(cli.out().lines().map(it -> it.replaceAll(" {2,}", "|")))
        .containsExactly(
            "KEY|VALUE|FROM",
            "durability|\"full\" (after a restart: \"normal\")|default",
            "output.retention|\"1h\"|config.toml line 4",
            "http.listen|none|command line");
  }

  @Test
  void a_key_alone_gives_its_value_and_a_table_its_rows() {
    assertThat(cli.run("config", "output.retention")).isZero();
    assertThat(cli.out()).isEqualTo("\"1h\"\n");
    cli.out.reset();
    assertThat(cli.run("config", "output")).isZero();
    assertThat(cli.out()).contains("KEY", "output.retention").doesNotContain("durability");
    cli.out.reset();
    assertThat(cli.run("config", "--json", "output")).isZero();
    assertThat(cli.out()).startsWith("{\"key\":\"output.retention\"");
  }

  @Test
  void a_key_that_does_not_exist_is_refused() {
    assertThat(cli.run("config", "out")).isEqualTo(2);
    assertThat(cli.err()).contains("there is no setting out");
  }

  @Test
  void reload_says_what_counts_now_and_what_later() {
    cli.daemon.on(
        "POST /admin/reload",
        """
        {'changed':[{'key':'output.retention','before':'7d','after':'1h'}],
        'after_restart':[{'key':'http.listen','before':null,'after':'127.0.0.1:0'}]}
        """);

    assertThat(cli.run("reload")).isZero();

    assertThat(cli.out())
        .isEqualTo(
            """
            output.retention: "7d" -> "1h"
            http.listen: none -> "127.0.0.1:0" (after: errand restart)
            """);
  }

  @Test
  void reload_tells_what_is_wrong_with_the_file() {
    cli.daemon.on(
        "POST /admin/reload",
        400,
        "application/problem+json",
        "{\"code\":\"INVALID_REQUEST\",\"detail\":\"config.toml, line 3: no\"}");

    assertThat(cli.run("reload")).isEqualTo(3);
    assertThat(cli.err()).contains("config.toml, line 3: no");
  }
}
