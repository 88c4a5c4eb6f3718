package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controls are answered after they were applied, and refused with what to do instead. */
final class ControlRoutesTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(Duration.ofMillis(300), Duration.ofSeconds(15));
    surface = Surface.start(folder, null, times, Config.DEFAULTS.serving());
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void a_cancel_is_accepted_when_its_signal_was_delivered() throws IOException {
    var taskId = surface.running();

    var answer = surface.post("/tasks/" + taskId + "/cancel", "{\"reason\":\"enough\"}");

    assertThat(answer.status()).isEqualTo(202);
    assertThat(json(answer).path("cancel_requested").path("reason").stringValue(""))
        .isEqualTo("enough");
    assertThat(surface.hosts.applied()).containsExactly("cancel enough");
  }

  @Test
  void a_cancel_with_a_wait_answers_with_the_end() throws Exception {
    var taskId = surface.running();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer =
          threads.submit(
              (Callable<Wire.Answer>)
                  () -> surface.post("/tasks/" + taskId + "/cancel?wait=20", ""));
      await().until(() -> surface.http.waiting() == 1);
      surface.hosts.exit(taskId, 143, "cancel");

      assertThat(answer.get().status()).isEqualTo(200);
      assertThat(json(answer.get()).path("status").stringValue("")).isEqualTo("cancelled");
    }
    assertThat(surface.post("/tasks/" + taskId + "/cancel", "").status()).isEqualTo(200);
  }

  @Test
  void a_signal_takes_any_spelling_and_is_in_the_log_when_it_is_answered() throws IOException {
    var taskId = surface.running();

    var answer = surface.post("/tasks/" + taskId + "/signal", "{\"signal\":\"sigusr1\"}");

    assertThat(answer.status()).isEqualTo(202);
    assertThat(json(answer).path("last_seq").longValue()).isEqualTo(3);
    assertThat(surface.hosts.applied()).containsExactly("signal USR1");
    var wrong = surface.post("/tasks/" + taskId + "/signal", "{\"signal\":\"SEGV\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(json(wrong).path("detail").stringValue("")).contains("INT, QUIT, TERM");
  }

  @Test
  void standard_input_is_written_as_text_or_base64() throws IOException {
    var taskId = surface.running();
    var target = "/tasks/" + taskId + "/stdin";

    var text = surface.post(target, "{\"text\":\"yes\\n\"}");
    surface.post(target, "{\"chunk_b64\":\"bm8=\",\"eof\":true}");

    assertThat(text.status()).isEqualTo(202);
    assertThat(json(text).path("bytes_written").longValue()).isEqualTo(4);
    assertThat(surface.hosts.applied()).containsExactly("stdin yes\n", "stdin no");
    assertThat(surface.post(target, "{}").status()).isEqualTo(400);
    assertThat(surface.post(target, "{\"chunk_b64\":\"%\"}").status()).isEqualTo(400);
    assertThat(surface.post(target, "{\"txt\":\"a\"}").status()).isEqualTo(400);
    var large = surface.post(target, "{\"text\":\"" + "a".repeat(8 * 1024 + 1) + "\"}");
    assertThat(large.status()).isEqualTo(413);
  }

  @Test
  void a_control_of_a_task_that_is_just_being_started_waits_for_it() throws Exception {
    var starting = surface.spawn();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer =
          threads.submit(
              (Callable<Wire.Answer>)
                  () -> surface.post("/tasks/" + starting + "/signal", "{\"signal\":\"INT\"}"));
      await().until(() -> surface.feed.followers() > 0);

      surface.hosts.start(starting);

      assertThat(answer.get().status()).isEqualTo(202);
    }
  }

  @Test
  void controls_of_a_task_in_the_wrong_state_are_conflicts() throws IOException {
    var closed = surface.spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"x\"}}");
    surface.hosts.start(closed);
    surface.fill();
    var queued = surface.spawn();
    assertThat(code(surface.post("/tasks/" + queued + "/signal", "{\"signal\":\"INT\"}")))
        .isEqualTo("TASK_NOT_RUNNING");

    var answer = surface.post("/tasks/" + closed + "/stdin", "{\"text\":\"a\"}");
    assertThat(answer.status()).isEqualTo(409);
    assertThat(code(answer)).isEqualTo("NO_STDIN");

    surface.hosts.exit(closed, 0, null);
    assertThat(code(surface.post("/tasks/" + closed + "/signal", "{\"signal\":\"INT\"}")))
        .isEqualTo("TASK_ENDED");
    assertThat(surface.post("/tasks/" + closed + "/resize", "{}").status()).isEqualTo(400);
  }

  @Test
  void a_terminal_is_resized_and_says_its_size() throws IOException {
    var taskId = terminal();
    var target = "/tasks/" + taskId + "/resize";

    var answer = surface.post(target, "{\"rows\":50,\"cols\":132}");

    assertThat(answer.status()).isEqualTo(202);
    assertThat(json(answer).path("rows").intValue()).isEqualTo(50);
    assertThat(json(answer).path("cols").intValue()).isEqualTo(132);
    assertThat(surface.hosts.applied()).containsExactly("resize 50x132");
    assertThat(surface.post(target, "{\"rows\":50}").status()).isEqualTo(400);
    assertThat(surface.post(target, "{\"rows\":0,\"cols\":1}").status()).isEqualTo(400);
    assertThat(surface.post(target, "{\"rows\":1,\"cols\":1001}").status()).isEqualTo(400);
  }

  @Test
  void pipes_are_not_resized_and_take_no_keys() throws IOException {
    var taskId = surface.running();

    var resize = surface.post("/tasks/" + taskId + "/resize", "{\"rows\":5,\"cols\":5}");
    var keys = surface.post("/tasks/" + taskId + "/stdin", "{\"keys\":[\"Enter\"]}");

    assertThat(resize.status()).isEqualTo(400);
    assertThat(json(resize).path("detail").stringValue("")).contains("this one has pipes");
    assertThat(keys.status()).isEqualTo(400);
    assertThat(json(keys).path("detail").stringValue("")).contains("send text");
  }

  @Test
  void keys_are_typed_by_their_names() throws IOException {
    var target = "/tasks/" + terminal() + "/stdin";

    var answer = surface.post(target, "{\"keys\":[\"l\",\"s\",\"Enter\",\"Up\"]}");

    assertThat(answer.status()).isEqualTo(202);
    assertThat(surface.hosts.applied()).containsExactly("stdin ls\r\u001b[A");
    var unknown = surface.post(target, "{\"keys\":[\"Any\"]}");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(json(unknown).path("detail").stringValue("")).contains("unknown key Any", "PageUp");
    assertThat(surface.post(target, "{\"keys\":[\"a\"],\"text\":\"b\"}").status()).isEqualTo(400);
    assertThat(surface.post(target, "{\"keys\":\"a\"}").status()).isEqualTo(400);
  }

  @Test
  void a_write_with_the_same_id_is_typed_once() throws IOException {
    var target = "/tasks/" + terminal() + "/stdin";
    var body = "{\"text\":\"once\",\"write_id\":\"w-1\"}";

    var first = surface.post(target, body);
    var second = surface.post(target, body);

    assertThat(json(second)).isEqualTo(json(first));
    assertThat(surface.hosts.applied()).containsExactly("stdin once");
    assertThat(surface.post(target, "{\"text\":\"a\",\"write_id\":\"a b\"}").status())
        .isEqualTo(400);
  }

  private TaskId terminal() throws IOException {
    var taskId =
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"x\"},\"execution_mode\":\"pty\"}");
    surface.hosts.start(taskId);
    return taskId;
  }

  @Test
  void a_wait_answers_when_the_task_ends_even_after_the_idle_time() throws Exception {
    var taskId = surface.running();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer =
          threads.submit(
              (Callable<Wire.Answer>)
                  () -> surface.post("/tasks/" + taskId + "/wait", "{\"timeout_ms\":20000}"));
      await().until(() -> surface.http.waiting() == 1);
      // Longer than the idle time of 300 ms: silence of a waiting request is no failure.
      var early = surface.post("/tasks/" + taskId + "/wait?timeout=1", "");
      assertThat(json(early).path("timed_out").booleanValue()).isTrue();
      assertThat(json(early).path("status").stringValue("")).isEqualTo("running");
      surface.hosts.exit(taskId, 0, null);

      assertThat(json(answer.get()).path("timed_out").booleanValue()).isFalse();
      assertThat(json(answer.get()).path("status").stringValue("")).isEqualTo("exited");
    }
    await().untilAsserted(() -> assertThat(surface.reads()).contains(taskId + " cli"));
  }
}
