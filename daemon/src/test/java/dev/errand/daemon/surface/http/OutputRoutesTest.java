package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.verb.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output by range: exact as bytes, and as text without torn characters. */
final class OutputRoutesTest {
  private static final Map<String, String> OCTETS = Map.of("Accept", "application/octet-stream");

  @TempDir Path folder;
  private Surface surface;
  private TaskId taskId;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    taskId = surface.running();
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private String target(String query) {
    return "/tasks/" + taskId + "/output?stream=stdout" + query;
  }

  @Test
  void output_is_told_with_where_it_lies() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "hello world");

    var output = json(surface.get(target("&offset_bytes=6&max_bytes=4")));

    assertThat(output.path("task_id").stringValue("")).isEqualTo(taskId.value());
    assertThat(output.path("stream").stringValue("")).isEqualTo("stdout");
    assertThat(output.path("content").stringValue("")).isEqualTo("worl");
    assertThat(output.path("offset_bytes").longValue()).isEqualTo(6);
    assertThat(output.path("bytes").longValue()).isEqualTo(4);
    assertThat(output.path("total_bytes").longValue()).isEqualTo(11);
    assertThat(output.path("truncated").booleanValue()).isTrue();
    assertThat(output.path("artifact_id").isNull()).isTrue();
    assertThat(output.path("path").isNull()).isTrue();
  }

  @Test
  void a_long_part_is_made_in_the_caller_s_share_of_the_processors() throws Exception {
    surface.hosts.write(taskId, LogStream.STDOUT, "hello");
    var authenticator = new CountDownLatch(1);
    try (var guests = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (var i = 0; i < ComputePool.JOBS_PER_CALLER_MAX; i++) {
          var _ =
              guests.submit(() -> {
                Caller.PERSON.share(surface.compute).run(_ -> awaited(authenticator));
                return true;
              });
        }
        await().until(() -> surface.compute.jobs() == ComputePool.JOBS_PER_CALLER_MAX);

        for (var many : List.of("&max_bytes=8388608", "&tail_bytes=8388608")) {
          var refused = surface.get(target(many));
          assertThat(refused.status()).isEqualTo(429);
          assertThat(refused.header("Retry-After")).isNotEmpty();
        }
        assertThat(surface.get(target("&max_bytes=1000")).status()).isEqualTo(200);
      } finally {
        authenticator.countDown();
      }
    }
    await().until(() -> surface.compute.jobs() == 0);
    assertThat(json(surface.get(target("&max_bytes=8388608"))).path("content").stringValue(""))
        .isEqualTo("hello");
  }

  private static boolean awaited(CountDownLatch authenticator) {
    try {
      return authenticator.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void pages_of_any_size_never_tear_a_character() throws IOException {
    var text = "aé€😀z".repeat(20);
    surface.hosts.write(taskId, LogStream.STDOUT, text);
    surface.hosts.exit(taskId, 0, null);
    for (var size = 1; size < 9; size++) {
      var read = new StringBuilder();
      var offset = 0L;
      while (true) {
        var page = json(surface.get(target("&offset_bytes=" + offset + "&max_bytes=" + size)));
        read.append(page.path("content").stringValue(""));
        offset += page.path("bytes").longValue();
        if (!page.path("truncated").booleanValue()) {
          break;
        }
      }
      assertThat(read.toString()).isEqualTo(text);
    }
  }

  @Test
  void half_a_character_waits_for_its_rest_and_is_shown_as_broken_at_the_end() throws IOException {
    var euro = "€".getBytes(StandardCharsets.UTF_8);
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {'a', euro[0], euro[1]});
    assertThat(json(surface.get(target(""))).path("content").stringValue("")).isEqualTo("a");

    surface.hosts.exit(taskId, 0, null);

    var ended = json(surface.get(target("")));
    assertThat(ended.path("content").stringValue("")).isEqualTo("a\uFFFD");
    assertThat(ended.path("bytes").longValue()).isEqualTo(3);
    assertThat(ended.path("artifact_id").stringValue("")).hasSize(64);
  }

  @Test
  void bytes_that_are_no_text_are_exact_as_octets_and_base64() throws IOException {
    var bytes = new byte[] {0, (byte) 0xFF, 'a', (byte) 0xC3};
    surface.hosts.write(taskId, LogStream.STDOUT, bytes);

    var octets = surface.get(target("&offset_bytes=1"), OCTETS);
    assertThat(octets.body()).containsExactly(0xFF, 'a', 0xC3);
    assertThat(octets.header("Errand-Offset")).isEqualTo("1");
    assertThat(octets.header("Errand-Bytes")).isEqualTo("3");
    assertThat(octets.header("Errand-Total")).isEqualTo("4");
    assertThat(octets.header("Errand-Ended")).isEqualTo("false");
    assertThat(surface.get(target("&offset_bytes=1&max_bytes=1"), OCTETS).body()).hasSize(1);
    var base64 = json(surface.get(target("&encoding=base64")));
    assertThat(base64.path("content_b64").stringValue("")).isEqualTo("AP9hww==");
  }

  @Test
  void a_page_of_text_has_no_more_bytes_than_asked_for_unless_one_character_has()
      throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "ab€c");

    assertThat(content("&max_bytes=1")).isEqualTo("a");
    assertThat(content("&max_bytes=3")).isEqualTo("ab");
    assertThat(content("&offset_bytes=2&max_bytes=1")).isEqualTo("€");
    assertThat(content("&offset_bytes=5&max_bytes=1")).isEqualTo("c");
    assertThat(content("&offset_bytes=6&max_bytes=1")).isEmpty();
  }

  @Test
  void a_place_past_the_end_is_refused_with_the_end() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "one\ntwo\n");

    for (var query :
        List.of("&offset_bytes=9", "&offset_bytes=9&encoding=base64", "&search=o&offset_bytes=9")) {
      var refused = surface.get(target(query));
      assertThat(refused.status()).as(query).isEqualTo(416);
      assertThat(json(refused).path("total_bytes").longValue(-1)).isEqualTo(8);
    }
    for (var query : List.of("&line=4", "&search=o&from_line=4")) {
      var refused = surface.get(target(query));
      assertThat(refused.status()).as(query).isEqualTo(416);
      assertThat(json(refused).path("next_line").longValue(-1)).isEqualTo(3);
    }
    for (var query :
        List.of(
            "&offset_bytes=8", "&line=3", "&search=o&from_line=3", "&search=o&offset_bytes=8")) {
      assertThat(surface.get(target(query)).status()).as(query).isEqualTo(200);
    }
  }

  @Test
  void an_unfinished_last_line_counts_and_the_one_after_it_is_the_end() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "one\ntw");

    assertThat(surface.get(target("&line=3")).status()).isEqualTo(200);
    assertThat(json(surface.get(target("&line=4"))).path("next_line").longValue(-1)).isEqualTo(3);
  }

  @Test
  void an_offset_and_a_tail_are_refused_together() throws IOException {
    assertThat(surface.get(target("&offset_bytes=0&tail_bytes=1")).status()).isEqualTo(400);
  }

  private String content(String query) throws IOException {
    return json(surface.get(target(query))).path("content").stringValue("");
  }

  @Test
  void a_tail_begins_at_a_character() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "abc€de");

    var tail = json(surface.get(target("&tail_bytes=4")));

    assertThat(tail.path("content").stringValue("")).isEqualTo("de");
    assertThat(tail.path("offset_bytes").longValue()).isEqualTo(6);
    assertThat(json(surface.get(target("&tail_bytes=100"))).path("content").stringValue(""))
        .isEqualTo("abc€de");
  }

  @Test
  void a_dropped_range_is_gone_and_the_answer_says_where_to_go_on() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "0123456789");
    surface.logs.drop(taskId, LogStream.STDOUT, 4, 7);

    assertThat(json(surface.get(target(""))).path("content").stringValue("")).isEqualTo("0123");
    var dropped = surface.get(target("&offset_bytes=4"));
    assertThat(dropped.status()).isEqualTo(410);
    assertThat(code(dropped)).isEqualTo("OUTPUT_DROPPED");
    assertThat(json(dropped).path("next_offset").longValue()).isEqualTo(7);
    assertThat(json(surface.get(target("&tail_bytes=5"))).path("content").stringValue(""))
        .isEqualTo("789");
  }

  @Test
  void a_stream_that_the_task_has_not_is_refused() throws IOException {
    assertThat(surface.get("/tasks/" + taskId + "/output").status()).isEqualTo(200);
    assertThat(surface.get("/tasks/" + taskId + "/output?stream=out").status()).isEqualTo(400);
    var pty = surface.get("/tasks/" + taskId + "/output?stream=pty");
    assertThat(pty.status()).isEqualTo(400);
    assertThat(json(pty).path("detail").stringValue("")).contains("stdout, stderr");
    assertThat(surface.get(target("&max_bytes=99999999")).status()).isEqualTo(400);
  }

  @Test
  void lines_are_read_by_their_numbers() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "one\n\033[1mtwo\033[0m\nthree\nfo");

    var page = json(surface.get(target("&line=2&lines=2")));

    assertThat(page.path("lines").toString()).isEqualTo("[\"two\",\"three\"]");
    assertThat(page.path("first_line").longValue()).isEqualTo(2);
    assertThat(page.path("next_line").longValue()).isEqualTo(4);
    assertThat(page.path("offset_bytes").longValue()).isEqualTo(4);
    assertThat(page.path("next_offset_bytes").longValue()).isEqualTo(22);
    assertThat(page.path("partial").booleanValue()).isFalse();
    assertThat(json(surface.get(target("&line=4"))).path("partial").booleanValue()).isTrue();
  }

  @Test
  void lines_are_found_by_what_is_in_them() throws IOException {
    surface.hosts.write(taskId, LogStream.STDOUT, "a\nerror 1\nb\nerror 2\nc\n");
    surface.logs.drop(taskId, LogStream.STDOUT, 10, 12);

    var first = json(surface.get(target("&search=error%20%5Cd&context=1&limit=1")));

    assertThat(first.path("matches").toString())
        .isEqualTo(
            "[{\"line\":2,\"offset_bytes\":2,\"text\":\"error 1\",\"cut\":false,"
                + "\"before\":[\"a\"],\"after\":[\"error 2\"]}]");
    assertThat(first.path("unfinished").booleanValue()).isTrue();
    var next = first.path("next_offset_bytes").longValue();
    var second = json(surface.get(target("&search=error&offset_bytes=" + next)));
    assertThat(second.path("matches").path(0).path("line").longValue()).isEqualTo(3);
    assertThat(second.path("gaps").path(0).path("to").longValue()).isEqualTo(12);
    assertThat(second.path("unfinished").booleanValue()).isFalse();
  }

  @Test
  void a_wish_for_lines_that_cannot_be_met_is_refused() throws IOException {
    for (var query :
        List.of(
            "&line=0",
            "&lines=0",
            "&search=(",
            "&search=",
            "&context=1",
            "&line=1&search=a",
            "&line=1&tail_bytes=4",
            "&line=1&offset_bytes=3",
            "&search=a&from_line=1&offset_bytes=0",
            "&search=a{1000}{1000}")) {
      assertThat(surface.get(target(query)).status()).as(query).isEqualTo(400);
    }
  }
}
