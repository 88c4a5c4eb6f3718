package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A wait answers with what held, and when nothing can hold any more. */
@Timeout(60)
final class WaitRoutesTest {
  @TempDir Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
  }

  @AfterEach
  void stop() {
    surface.close();
    threads.close();
  }

  @Test
  void a_text_is_found_over_the_borders_of_writes() throws Exception {
    var taskId = surface.running();
    var answer = waiting(taskId, "{\"text\":\"list[a-z]+ on €\\\\d+\"}");
    surface.hosts.write(taskId, LogStream.STDOUT, "first line\nnow list");
    surface.hosts.write(taskId, LogStream.STDERR, "list");
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {'e', 'n', 's', ' ', 'o', 'n', ' '});
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {(byte) 0xE2, (byte) 0x82});
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {(byte) 0xAC, '4'});
    surface.hosts.write(taskId, LogStream.STDOUT, "2\nmore\n");

    var held = answer.get().path("held");

    assertThat(held.path("kind").stringValue("")).isEqualTo("text");
    assertThat(held.path("index").intValue()).isZero();
    assertThat(held.path("stream").stringValue("")).isEqualTo("stdout");
    assertThat(held.path("offset").longValue()).isEqualTo(15);
    assertThat(held.path("end_offset").longValue()).isEqualTo(31);
    assertThat(held.path("snippet").stringValue("")).isEqualTo("now listens on €42");
    // Spawned, attempted, started, then six writes: the last of them made the match whole.
    assertThat(held.path("seq").longValue()).isEqualTo(8);
    assertThat(answer.get().path("status").stringValue("")).isEqualTo("running");
    assertThat(answer.get().path("ended").booleanValue()).isFalse();
    assertThat(answer.get().path("timed_out").booleanValue()).isFalse();
  }

  @Test
  void the_answer_to_a_wait_for_an_end_reads_the_result() throws Exception {
    var taskId = surface.running();
    var answer = waiting(taskId, "\"exit\"");
    surface.hosts.exit(taskId, 0, null);

    assertThat(answer.get().path("ended").booleanValue()).isTrue();
    await().untilAsserted(() -> assertThat(surface.reads()).contains(taskId + " cli"));
  }

  @Test
  void a_text_at_the_end_of_the_output_counts_when_nothing_follows() throws Exception {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "Continue? ");

    var held = ask(taskId, "{\"text\":\"\\\\? $\"}", "").path("held");

    assertThat(held.path("offset").longValue()).isEqualTo(8);
  }

  @Test
  void the_search_begins_where_the_caller_says_and_in_the_stream_it_names() throws Exception {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "ok 1\nok 2\n");
    surface.hosts.write(taskId, LogStream.STDERR, "ok 3\n");

    var second = ask(taskId, "{\"text\":\"^ok\",\"stream\":\"stdout\"}", ",\"from_offset\":1");
    var other = ask(taskId, "{\"text\":\"^ok\",\"stream\":\"stderr\"}", "");
    var each = ask(taskId, "{\"text\":\"^ok\"}", ",\"from_offset\":{\"stdout\":9,\"stderr\":0}");

    assertThat(second.path("held").path("offset").longValue()).isEqualTo(5);
    assertThat(other.path("held").path("stream").stringValue("")).isEqualTo("stderr");
    assertThat(each.path("held").path("stream").stringValue("")).isEqualTo("stderr");
  }

  @Test
  void the_log_of_an_ended_task_can_be_searched_and_its_last_bytes_count() throws Exception {
    var taskId = surface.running();
    var answer = waiting(taskId, "{\"text\":\"bye$\"}");
    var never = waiting(taskId, "{\"any\":[{\"text\":\"nowhere\"},{\"port\":1}]}");
    surface.hosts.write(taskId, LogStream.STDOUT, "good bye");
    surface.hosts.exit(taskId, 0, null);

    assertThat(answer.get().path("held").path("offset").longValue()).isEqualTo(5);
    assertThat(never.get().path("held").isNull()).isTrue();
    assertThat(never.get().path("ended").booleanValue()).isTrue();
    assertThat(never.get().path("timed_out").booleanValue()).isFalse();
    assertThat(never.get().path("status").stringValue("")).isEqualTo("exited");
    assertThat(ask(taskId, "{\"text\":\"good\"}", "").path("held").path("seq").longValue())
        .isEqualTo(3);
    assertThat(ask(taskId, "\"exit\"", "").path("held").path("kind").stringValue(""))
        .isEqualTo("exit");
  }

  @Test
  void what_the_cap_took_is_passed_over() throws Exception {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "head GONE tail");
    surface.logs.drop(taskId, LogStream.STDOUT, 5, 10);

    var answer = ask(taskId, "{\"text\":\"tail|GONE\"}", "");

    assertThat(answer.path("held").path("offset").longValue()).isEqualTo(10);
  }

  @Test
  void silence_counts_from_the_last_output() throws Exception {
    surface.close();
    var clock = new SettableClock(Instant.EPOCH);
    surface = Surface.start(folder.resolve("moved"), clock);
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "x");
    var started = clock.millis();

    var answer = waiting(taskId, "{\"idle_ms\":4000}");
    await()
        .until(() -> {
          clock.advance(Duration.ofMillis(500));
          return answer.isDone();
        });

    var held = answer.get().path("held");
    assertThat(held.path("kind").stringValue("")).isEqualTo("idle_ms");
    assertThat(held.path("idle_ms").longValue()).isGreaterThanOrEqualTo(4_000);
    assertThat(clock.millis() - started).isGreaterThanOrEqualTo(4_000);
    // It has been silent for so long already, so nobody waits again.
    assertThat(ask(taskId, "{\"idle_ms\":3000}", "").path("held").path("seq").longValue())
        .isEqualTo(3);
  }

  @Test
  void of_several_conditions_the_one_that_holds_is_named() throws Exception {
    var taskId = surface.running();
    var answer =
        waiting(taskId, "{\"any\":[{\"text\":\"ready\"},\"exit\",{\"text\":\"fail(ed|ure)\"}]}");
    surface.hosts.write(taskId, LogStream.STDERR, "it failed\n");

    assertThat(answer.get().path("held").path("index").intValue()).isEqualTo(2);
  }

  @Test
  void a_wait_that_passes_its_time_says_where_the_next_may_begin() throws Exception {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "x".repeat(100_000));

    var answer =
        json(
            surface.post(
                "/tasks/" + taskId + "/wait", "{\"until\":{\"text\":\"y\"},\"timeout_ms\":50}"));

    assertThat(answer.path("timed_out").booleanValue()).isTrue();
    assertThat(answer.path("held").isNull()).isTrue();
    assertThat(answer.path("searched_to").path("stdout").longValue())
        .isBetween(100_000L - 32 * 1024, 100_000L);
    assertThat(answer.path("searched_to").path("stderr").longValue()).isZero();
  }

  @Test
  void a_task_that_says_when_it_is_ready_is_waited_for_until_it_is() throws Exception {
    var taskId =
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"ready_when\":{\"port\":80}}");
    surface.hosts.start(taskId);
    var ready = waiting(taskId, "\"ready\"");

    surface.engine.submit(taskId, new TaskCommand.MarkReady("it is up", 4_711), null).orThrow();

    assertThat(ready.get().path("held").path("kind").stringValue("")).isEqualTo("ready");
    assertThat(ready.get().path("held").path("ready_at_ms").longValue()).isEqualTo(4_711);
    assertThat(ready.get().path("ready_at_ms").longValue()).isEqualTo(4_711);
    surface.hosts.exit(taskId, 0, null);
    var over = ask(taskId, "\"ready\"", "");
    assertThat(over.path("held").isNull()).isTrue();
    assertThat(over.path("ended").booleanValue()).isTrue();
    assertThat(refusal(surface.running(), "\"ready\"")).contains("without ready_when");
  }

  @Test
  void what_cannot_be_waited_for_is_refused_with_what_can() throws Exception {
    var taskId = surface.running();

    assertThat(refusal(taskId, "{\"text\":\"(\"}")).contains("RE2 pattern: missing closing )");
    assertThat(refusal(taskId, "{\"text\":\"([^b]{50}){40}b\"}")).contains("a smaller pattern");
    assertThat(refusal(taskId, "{\"txt\":\"a\"}"))
        .contains("known are text, screen, idle_ms, port, prompt");
    assertThat(refusal(taskId, "{}")).contains("has none of text, screen");
    assertThat(refusal(taskId, "{\"text\":\"a\",\"port\":1}")).contains("more than one of");
    assertThat(refusal(taskId, "{\"any\":[]}")).contains("an array of 1 to 16 conditions");
    assertThat(refusal(taskId, "{\"any\":[\"exit\",\"end\"]}"))
        .contains("until.any[1] is \"exit\"");
    assertThat(refusal(taskId, "\"forever\""))
        .contains("until is \"exit\", \"ready\" or an object");
    assertThat(refusal(taskId, "{\"port\":70000}")).contains("until.port", "from 1 to 65535");
    assertThat(refusal(taskId, "{\"idle_ms\":0}")).contains("until.idle_ms");
    assertThat(refusal(taskId, "{\"port\":80,\"stream\":\"stdout\"}")).contains("with text only");
    assertThat(refusal(taskId, "{\"text\":\"a\",\"stream\":\"pty\"}"))
        .contains("no stream pty; it has");
    assertThat(refusal(taskId, "{\"screen\":\"a\"}")).contains("only a task with a terminal");
    assertThat(refusal(taskId, "{\"prompt\":true}")).contains("only a task with a terminal");
    assertThat(refusal(taskId, "{\"prompt\":false}")).contains("true, or left out");
    assertThat(refusal(taskId, "{\"any\":[{\"any\":[\"exit\"]}]}")).contains("no field");
  }

  private String refusal(TaskId taskId, String until) throws IOException {
    var answer = surface.post("/tasks/" + taskId + "/wait", "{\"until\":" + until + "}");
    assertThat(answer.status()).as(until).isEqualTo(400);
    return json(answer).path("detail").stringValue("");
  }

  private JsonNode ask(TaskId taskId, String until, String more) throws IOException {
    return json(
        surface.post(
            "/tasks/" + taskId + "/wait", "{\"timeout_ms\":20000,\"until\":" + until + more + "}"));
  }

  /** Asks on a thread of its own; returns when that waits. */
  private Future<JsonNode> waiting(TaskId taskId, String until) {
    var before = surface.http.waiting();
    var answer = threads.submit((Callable<JsonNode>) () -> ask(taskId, until, ""));
    await().until(() -> surface.http.waiting() == before + 1);
    return answer;
  }
}
