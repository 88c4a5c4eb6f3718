package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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
            "output_bytes",
            "truncated",
            "queued_at",
            "started_at",
            "updated_at",
            "since_seq",
            "next_seq",
            "items");
    assertThat(first.path("status").stringValue("")).isEqualTo("running");
    assertThat(first.path("command").stringValue("")).isEqualTo("make");
    assertThat(payloads(first)).containsExactly("running", "one\n");
    surface.hosts.write(taskId, LogStream.STDOUT, "two\n");
    surface.hosts.exit(taskId, 3, null);

    var second = poll(taskId, first.path("next_seq").longValue());
    assertThat(second.path("status").stringValue("")).isEqualTo("failed");
    assertThat(second.path("exit_code").intValue(0)).isEqualTo(3);
    assertThat(second.path("output_bytes").longValue()).isEqualTo(8);
    assertThat(second.has("finished_at")).isTrue();
    assertThat(payloads(second)).containsExactly("two\n", "failed");
    var whole = structured(shell("{'action':'poll','run_id':'" + taskId + "'}"));
    assertThat(whole.path("snippet").stringValue("")).isEqualTo("one\ntwo\n");
    assertThat(whole.has("items")).isFalse();
    assertThat(whole.path("next_seq")).isEqualTo(second.path("next_seq"));
  }

  @Test
  void poll_waits_until_something_is_new() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);
    var next = poll(taskId, 0).path("next_seq").longValue();
    var waiting =
        inBackground(
            "{'action':'poll','run_id':'%s','since_seq':%d,'wait_ms':600000}"
                .formatted(taskId, next));

    surface.hosts.write(taskId, LogStream.STDOUT, "new\n");

    assertThat(payloads(structured(waiting.join()))).containsExactly("new\n");
  }

  @Test
  void an_argument_that_an_action_does_not_take_is_refused_by_name() throws IOException {
    var taskId = spawn("");
    for (var refused :
        List.of(
            "'action':'poll','cursor':'0'",
            "'action':'log','wait_ms':5",
            "'action':'kill','stream':'stdout'",
            "'action':'send_keys','keys':'q','limit':5")) {
      var answer = call("{'run_id':'" + taskId + "'," + refused + "}");
      assertThat(answer.status()).as(refused).isEqualTo(400);
      assertThat(json(answer).path("detail").stringValue("")).contains("has no meaning");
    }
  }

  @Test
  void a_page_says_how_far_it_looked_though_the_last_frames_make_no_item() throws IOException {
    var taskId = printed("a\n");
    surface.hosts.exit(taskId, 0, null);

    var answer =
        shell("{'action':'log','run_id':'" + taskId + "','since_seq':0,'stream':'stdout'}");

    var last = json(surface.get("/tasks/" + taskId)).path("last_seq").longValue();
    assertThat(structured(answer).path("next_seq").longValue()).isEqualTo(last);
    assertThat(answer.path("text").stringValue("")).isEqualTo("a\n");
  }

  @Test
  void log_without_a_cursor_shows_the_end_and_says_how_to_get_the_start() throws IOException {
    var taskId = printed("a\n", "b\n", "c\n");

    var answer = shell("{'action':'log','run_id':'" + taskId + "','limit':2}");

    assertThat(payloads(structured(answer))).containsExactly("b\n", "c\n");
    assertThat(answer.path("text").stringValue(""))
        .startsWith("[the end; from the start: shell(action: \"log\", run_id: \"" + brief(taskId))
        .contains("b\nc\n[what follows: shell(action: \"log\"");
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
    assertThat(poll(taskId, next).has("items")).isFalse();
  }

  @Test
  void log_reads_strictly_behind_the_cursor_and_up_to_the_limit() throws IOException {
    var taskId = printed("a", "b", "c");

    var first = log(taskId, "'limit':2,'since_seq':0");
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

    var page = log(taskId, "'stream':'stderr','limit':1,'since_seq':0");
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

    assertThat(poll(taskId, 0).path("items").size()).isBetween(50, 256);
    var poll = structured(shell("{'action':'poll','run_id':'" + taskId + "'}"));
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

    var page = log(taskId, "'stream':'stdout','since_seq':0");

    assertThat(payloads(page)).hasSize(2);
    var shown = payloads(page).getLast();
    assertThat(shown)
        .startsWith(text.substring(0, 4_000))
        .endsWith(text.substring(text.length() - 4_000));
    assertThat(shown).hasSizeLessThan(16_384).doesNotContain("\uFFFD");
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
            .put("max_chars", 65_536);
    var from = rest.path("offset_bytes").longValue();
    var left = rest.path("bytes").longValue();
    var content = new StringBuilder();
    while (left > 0) {
      arguments.put("offset_bytes", from).put("max_bytes", Math.min(left, 1 << 20));
      var answer = structured(json(surface.post("/tools/tool.output_fetch", Json.text(arguments))));
      content.append(answer.path("content").stringValue(""));
      from += answer.path("bytes").longValue();
      left -= answer.path("bytes").longValue();
    }
    return content.toString();
  }

  @Test
  void a_frame_of_a_flood_makes_an_item_that_fits_and_all_of_it_is_read_by_the_cursor()
      throws IOException {
    var text = "ä€😀".repeat(40_000) + "z";
    var taskId = spawn("");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, text);
    surface.hosts.write(taskId, LogStream.STDOUT, "next");

    var page = log(taskId, "'limit':1,'stream':'stdout','since_seq':0");
    assertThat(payloads(page)).hasSize(1).allMatch(it -> it.length() <= 16_384);
    var item = page.path("items").path(0);
    var meta = Json.read(item.path("meta_json").stringValue("").getBytes(StandardCharsets.UTF_8));
    var parts = payloads(page).getFirst().split("\n\\[\\d+ bytes left out: [^\\]]+]\n", -1);
    assertThat(parts[0] + fetched(meta.path("rest")) + parts[1]).isEqualTo(text);
    var cursor = "0";
    var read = new StringBuilder();
    var more = true;
    while (more) {
      var part = log(taskId, "'cursor':'" + cursor + "'");
      read.append(part.path("output").stringValue(""));
      cursor = part.path("cursor").stringValue("");
      more = part.path("more").booleanValue();
    }
    assertThat(read).hasToString(text + "next");
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
        .as("the beginning, and after it the end of each stream")
        .containsExactly(
            "running", "123456", "789a", "output_truncated", "more", "bcdef", "succeeded");
    assertThat(poll.path("truncated").booleanValue(false)).isTrue();
    assertThat(poll.path("output_bytes").longValue()).isEqualTo(19);
    var event = poll.path("items").path(3);
    assertThat(event.path("meta_json").stringValue(""))
        .isEqualTo("{\"run_id\":\"" + taskId + "\",\"limit\":10}");
    // A page never parts the two, and never shows them twice.
    var page = log(taskId, "'limit':3,'since_seq':0");
    assertThat(payloads(page)).containsExactly("running", "123456");
    page = log(taskId, "'limit':3,'since_seq':" + page.path("next_seq").longValue());
    assertThat(payloads(page)).containsExactly("789a", "output_truncated", "more");
  }
}
