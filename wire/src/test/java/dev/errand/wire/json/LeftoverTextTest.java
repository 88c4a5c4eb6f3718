package dev.errand.wire.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeftoverTextTest {
  private static final String KEEP =
      "; to keep such a process give leftover: keep, or start it as a task of its own"
          + " (action=spawn, service: true)";

  @Test
  void what_was_ended_is_counted_and_named() {
    assertThat(
            text(
                """
                {"leftover": "killed", "killed": [7, 8], "survivors": [],
                 "leftover_processes": [{"pid": 7, "command": "sleep 600"}]}
                """))
        .isEqualTo("2 background processes that it left were ended: 7 (sleep 600), 8" + KEEP);
  }

  @Test
  void of_many_the_first_are_named() {
    assertThat(
            text(
                """
                {"leftover": "killed", "killed": [1, 2, 3, 4, 5, 6, 7], "survivors": []}
                """))
        .endsWith("were ended: 1, 2, 3, 4, 5 and 2 more" + KEEP);
  }

  @Test
  void who_could_not_be_ended_is_named_apart() {
    assertThat(text("{\"leftover\": \"killed\", \"killed\": [7], \"survivors\": [8]}"))
        .isEqualTo(
            "1 background process that it left was ended: 7; 1 process that it left could not be"
                + " ended: 8"
                + KEEP);
  }

  @Test
  void what_was_kept_is_named_with_how_to_end_it() {
    assertThat(
            text(
                """
                {"leftover": "kept", "killed": [], "survivors": [7],
                 "leftover_processes": [{"pid": 7, "command": "httpd"}]}
                """))
        .isEqualTo("1 background process was kept running: 7 (httpd); cancel the task to end it");
  }

  @Test
  void nothing_is_said_where_nothing_was_left_or_an_older_daemon_did_not_tell() {
    assertThat(text("{\"leftover\": \"none\", \"killed\": [], \"survivors\": []}")).isEmpty();
    assertThat(text("{\"leftover\": null, \"killed\": [5], \"survivors\": [6]}")).isEmpty();
    assertThat(text("{}")).isEmpty();
  }

  private static String text(String status) {
    return LeftoverText.of(EndJson.readLeftovers(JsonFields.of(status.getBytes(UTF_8))));
  }
}
