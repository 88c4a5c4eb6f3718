package dev.errand.daemon.tool.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.daemon.output.Elapsed;
import dev.errand.wire.json.JsonFrameCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Texts of the background tools, as their readers know them. */
final class BackgroundTextTest {
  private static final long NOW_MS = 1_000_000;

  private static TaskSheet sheet(String name, String fields) {
    var id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    var text =
        "{'task_id':'%s','session_id':'s','command':'make','created_at_ms':0,'started_at_ms':0,%s}"
            .formatted(id, fields)
            .replace('\'', '"');
    return new TaskSheet(new JsonFrameCodec().readStatus(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void durations_are_told_in_hours_minutes_and_seconds() {
    assertThat(Elapsed.text(Duration.ofMillis(5_900))).isEqualTo("5s");
    assertThat(Elapsed.text(Duration.ofSeconds(150))).isEqualTo("2m 30s");
    assertThat(Elapsed.text(Duration.ofSeconds(4_520))).isEqualTo("1h 15m 20s");
    assertThat(Elapsed.text(Duration.ofHours(30))).isEqualTo("30h 0m 0s");
    assertThat(Elapsed.text(Duration.ZERO)).isEqualTo("<1s");
  }

  @Test
  void a_list_is_a_table_with_counts() {
    var rows =
        List.of(
            new BackgroundText.Row("aaaaaaaa", sheet("a", "'status':'running','title':'build'")),
            new BackgroundText.Row(
                "bbbbbbbb",
                sheet("b", "'status':'exited','exit_code':0,'ended_at_ms':150000,'title':'a|b'")),
            new BackgroundText.Row(
                "cccccccc", sheet("c", "'status':'exited','exit_code':2,'ended_at_ms':5000")),
            new BackgroundText.Row(
                "dddddddd",
                sheet(
                    "d",
                    "'status':'cancelled','ended_at_ms':1,'title':'"
                        + "a very long description of what this task does'")));

    var counts = new TreeMap<>(Map.of("running", 1, "completed", 4));

    assertThat(BackgroundText.list(rows, BackgroundText.total(5, counts), NOW_MS))
        .isEqualTo(
            """
            # Background Tasks

            | Task ID | Description | Agent | Status | Duration |
            |---|---|---|---|---|
            | `aaaaaaaa` | build | command | ⏳ running | 16m 40s |
            | `bbbbbbbb` | a\\|b | command | ✓ completed | 2m 30s |
            | `cccccccc` | make | command | ✗ error | 5s |
            | `dddddddd` | a very long description of wh… | command | ⊘ cancelled | <1s |

            ---
            **Total: 5** (4 completed, 1 running)\
            """);
    assertThat(BackgroundText.list(List.of(), "", NOW_MS)).contains("There are none.");
  }

  @Test
  void each_state_has_a_word_in_both_families() {
    assertThat(words("'status':'queued'")).isEqualTo("spawned running");
    assertThat(words("'status':'running'")).isEqualTo("running running");
    assertThat(words("'status':'exited','exit_code':0")).isEqualTo("completed completed");
    assertThat(words("'status':'exited','exit_code':1")).isEqualTo("failed error");
    assertThat(words("'status':'failed','error':'lost'")).isEqualTo("failed error");
    assertThat(words("'status':'failed','error':'timeout','limit':'wall'"))
        .isEqualTo("timeout error");
    assertThat(words("'status':'cancelled'")).isEqualTo("killed cancelled");
  }

  private static String words(String fields) {
    var sheet = sheet("a", fields);
    return sheet.taskWord() + " " + sheet.backgroundStatus().word();
  }

  @Test
  void an_end_says_how_and_why() {
    assertThat(sheet("a", "'status':'exited','exit_code':3").ending()).isEqualTo("exit code 3");
    assertThat(sheet("a", "'status':'exited','exit_code':137,'signal':'KILL'").ending())
        .isEqualTo("killed by signal KILL");
    assertThat(sheet("a", "'status':'cancelled','message':'enough','by':'cli'").ending())
        .isEqualTo("cancelled by cli: enough");
    assertThat(
            sheet(
                    "a",
                    "'status':'failed','reason':'not_found','error':'not_started: x','message':'x'")
                .ending())
        .isEqualTo("not_started: x");
  }

  @Test
  void what_a_caller_named_cannot_break_out_of_its_place() {
    var hostile = sheet("a", "'status':'running','title':'a\\nb \\u001b[31m| x'");

    assertThat(BackgroundText.status(hostile, "l1\n| l2", NOW_MS))
        .contains("| Description | a b \\| x |")
        .contains("| Last line | l1 \\| l2 |")
        .doesNotContain("\u001b");
  }

  @Test
  void a_digest_stays_short_whatever_there_is() {
    var many = new java.util.ArrayList<TaskSheet>();
    for (var i = 0; i < 100; i++) {
      many.add(sheet("0000" + i, "'status':'running','title':'" + "x".repeat(190) + "'"));
    }

    var text = new TaskDigest("s", many, many, many, 7, 1_000).text(NOW_MS);

    assertThat(text).hasSizeLessThanOrEqualTo(TaskDigest.CHARS_MAX);
    assertThat(text).contains("Running (100)").contains("Ended lately (100)").contains("more");
  }

  @Test
  void a_digest_says_what_became_of_processes_that_a_task_left() {
    var description = "x".repeat(190);
    var left = "'status':'exited','exit_code':0,'leftover':'killed','killed':[7],'title':'";

    var text =
        new TaskDigest(
                "s", List.of(), List.of(), List.of(sheet("a", left + description + "'")), 0, 0)
            .text(NOW_MS);

    assertThat(text).contains("x…; 1 background process that it left was ended: 7\n");
  }
}
