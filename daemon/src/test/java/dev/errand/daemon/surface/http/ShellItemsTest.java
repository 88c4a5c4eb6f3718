package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the tool {@code shell} shows of a run: its items, in pages, and its snippet. */
final class ShellItemsTest extends ShellToolCase {

  @Test
  void poll_tells_how_a_run_stands_with_a_snippet_and_what_is_new() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "one\n");

    var first = poll(taskId, 0);
    assertThat(first.propertyNames())
        .containsExactly(
            "run_id",
            "session_id",
            "status",
            "command",
            "exit_code",
            "output_bytes",
            "truncated",
            "error_message",
            "queued_at",
            "started_at",
            "finished_at",
            "updated_at",
            "since_seq",
            "next_seq",
            "snippet",
            "items");
    assertThat(first.path("status").stringValue("")).isEqualTo("running");
    assertThat(first.path("command").stringValue("")).isEqualTo("make");
    assertThat(first.path("exit_code").isNull()).isTrue();
    assertThat(payloads(first)).containsExactly("running", "one\n");
    surface.hosts.write(taskId, LogStream.STDOUT, "two\n");
    surface.hosts.exit(taskId, 3, null);

    var second = poll(taskId, first.path("next_seq").longValue());
    assertThat(second.path("status").stringValue("")).isEqualTo("failed");
    assertThat(second.path("exit_code").intValue(0)).isEqualTo(3);
    assertThat(second.path("output_bytes").longValue()).isEqualTo(8);
    assertThat(second.path("snippet").stringValue("")).isEqualTo("one\ntwo\n");
    assertThat(second.path("finished_at").isNull()).isFalse();
    assertThat(payloads(second)).containsExactly("two\n", "failed");
  }

  @Test
  void an_item_has_the_number_of_its_frame_and_says_what_it_is() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDERR, "hm\n");

    var item = poll(taskId, 0).path("items").path(1);
    assertThat(item.propertyNames())
        .containsExactly("seq", "type", "payload", "meta_json", "created_at");
    assertThat(item.path("type").stringValue("")).isEqualTo("stderr");
    var frame = json(surface.get("/tasks/" + taskId + "/events", accept())).path(3);
    assertThat(frame.path("type").stringValue("")).isEqualTo("tool_task_output_delta");
    assertThat(item.path("seq").longValue()).isEqualTo(frame.path("seq").longValue());
  }

  @Test
  void next_seq_is_the_last_item_seen_and_stays_where_nothing_is_new() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);

    var next = poll(taskId, 0).path("next_seq").longValue();

    assertThat(next).isEqualTo(2);
    assertThat(poll(taskId, next).path("next_seq").longValue()).isEqualTo(next);
    assertThat(poll(taskId, next).path("items")).isEmpty();
  }

  @Test
  void log_reads_strictly_behind_the_cursor_and_up_to_the_limit() throws IOException {
    var taskId = printed("a", "b", "c");

    var first = log(taskId, "'limit':2");
    assertThat(first.propertyNames()).containsExactly("run_id", "since_seq", "next_seq", "items");
    assertThat(payloads(first)).containsExactly("running", "a");
    var rest = log(taskId, "'limit':500,'since_seq':" + first.path("next_seq").longValue());
    assertThat(payloads(rest)).containsExactly("b", "c");
  }

  @Test
  void the_filter_by_stream_comes_before_the_limit() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    for (var i = 0; i < 20; i++) {
      surface.hosts.write(taskId, LogStream.STDOUT, "out");
    }
    surface.hosts.write(taskId, LogStream.STDERR, "first");
    surface.hosts.write(taskId, LogStream.STDERR, "second");

    var page = log(taskId, "'stream':'stderr','limit':1");
    assertThat(payloads(page)).containsExactly("first");
    page = log(taskId, "'stream':'stderr','since_seq':" + page.path("next_seq").longValue());
    assertThat(payloads(page)).containsExactly("second");
  }

  @Test
  void the_snippet_is_the_end_of_the_run_and_not_of_the_page() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    for (var i = 0; i < 300; i++) {
      surface.hosts.write(taskId, LogStream.STDOUT, "line " + i + "\n");
    }

    var poll = poll(taskId, 0);
    assertThat(poll.path("items")).hasSize(256);
    assertThat(poll.path("snippet").stringValue("")).endsWith("line 299\n");
    assertThat(poll.path("snippet").stringValue("").length()).isLessThanOrEqualTo(4_096);
  }

  @Test
  void paging_through_gives_every_byte_once_and_tears_no_character() throws IOException {
    var text = "aä€😀zß漢字".repeat(40);
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var taskId = spawn("");
    surface.hosts.start(taskId);
    for (var at = 0; at < bytes.length; at += 5) {
      var part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 5));
      surface.hosts.write(taskId, LogStream.STDOUT, part);
    }
    surface.hosts.exit(taskId, 0, null);

    assertThat(pagedThrough(taskId, "stdout")).isEqualTo(text);
  }

  @Test
  void a_merged_frame_is_one_item_with_its_start_its_end_and_where_the_rest_is()
      throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    var text = "0123456789ä€😀".repeat(40_000) + "the end";
    surface.hosts.write(taskId, LogStream.STDOUT, "before");
    surface.hosts.writeMerged(taskId, LogStream.STDOUT, text);

    var page = log(taskId, "'stream':'stdout'");

    assertThat(payloads(page)).hasSize(2);
    var shown = payloads(page).getLast();
    assertThat(shown)
        .startsWith(text.substring(0, 30_000))
        .endsWith(text.substring(text.length() - 30_000));
    assertThat(shown).hasSizeLessThan(131_200).doesNotContain("\uFFFD");
    var item = page.path("items").path(1);
    var meta = Json.read(item.path("meta_json").stringValue("").getBytes(StandardCharsets.UTF_8));
    assertThat(meta.path("offset").longValue()).isEqualTo(6);
    assertThat(meta.path("bytes").longValue())
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    var rest = fetched(meta.path("rest"));
    var parts = shown.split("\n\\[\\d+ bytes left out: offsets \\d+ to \\d+ of stdout]\n", -1);
    assertThat(parts[0] + rest + parts[1]).isEqualTo(text);
    var frame = json(surface.get("/tasks/" + taskId + "/events", accept())).path(4);
    assertThat(frame.path("merged").booleanValue()).isTrue();
  }

  private String fetched(JsonNode rest) throws IOException {
    var arguments =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", rest.path("id").stringValue(""))
            .put("offset_bytes", rest.path("offset_bytes").longValue())
            .put("max_bytes", rest.path("bytes").longValue());
    var answer = surface.post("/tools/tool.output_fetch", Json.text(arguments));
    return structured(json(answer)).path("content").stringValue("");
  }

  @Test
  void a_frame_of_a_flood_makes_items_of_a_bounded_length_that_come_together() throws IOException {
    var text = "ä€😀".repeat(40_000) + "z";
    var taskId = spawn("");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, text);
    surface.hosts.write(taskId, LogStream.STDOUT, "next");

    var page = log(taskId, "'limit':2,'stream':'stdout'");
    assertThat(payloads(page)).hasSizeGreaterThan(2).allMatch(it -> it.length() <= 65_536);
    assertThat(String.join("", payloads(page))).isEqualTo(text);
    var offset = 0L;
    for (var item : page.path("items")) {
      var meta = Json.read(item.path("meta_json").stringValue("").getBytes(StandardCharsets.UTF_8));
      assertThat(meta.path("offset").longValue()).isEqualTo(offset);
      assertThat(item.path("seq")).isEqualTo(page.path("next_seq"));
      offset += meta.path("bytes").longValue();
    }
    assertThat(pagedThrough(taskId, "stdout")).isEqualTo(text + "next");
  }

  @Test
  void a_log_that_ends_inside_a_character_says_so_in_the_end() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {'a', (byte) 0xE2, (byte) 0x82});
    assertThat(payloads(poll(taskId, 0))).containsExactly("running", "a");
    surface.hosts.exit(taskId, 0, null);

    assertThat(pagedThrough(taskId, "stdout")).isEqualTo("a\uFFFD");
  }

  @Test
  void the_bound_counts_both_streams_together_and_is_said_once() throws IOException {
    var taskId = spawn("'max_output_bytes':10");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "123456");
    assertThat(poll(taskId, 0).path("truncated").booleanValue(true)).isFalse();
    surface.hosts.write(taskId, LogStream.STDERR, "789abcdef");
    surface.hosts.write(taskId, LogStream.STDOUT, "more");
    surface.hosts.exit(taskId, 0, null);

    var poll = poll(taskId, 0);
    assertThat(payloads(poll))
        .containsExactly("running", "123456", "789a", "output_truncated", "succeeded");
    assertThat(poll.path("truncated").booleanValue(false)).isTrue();
    assertThat(poll.path("output_bytes").longValue()).isEqualTo(19);
    assertThat(poll.path("snippet").stringValue("")).endsWith("more");
    var event = poll.path("items").path(3);
    assertThat(event.path("meta_json").stringValue(""))
        .isEqualTo("{\"run_id\":\"" + taskId + "\",\"limit\":10}");
    // A page never parts the two, and never shows them twice.
    var page = log(taskId, "'limit':3");
    assertThat(payloads(page)).containsExactly("running", "123456");
    page = log(taskId, "'limit':3,'since_seq':" + page.path("next_seq").longValue());
    assertThat(payloads(page)).containsExactly("789a", "output_truncated", "succeeded");
  }
}
