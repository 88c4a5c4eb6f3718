package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.verb.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of a keyed request is little, is read for ever, and makes the same answer. */
final class RememberedOutcomesTest {
  private static final String KEY = "k";
  private static final String PERSON = "cli";

  private static final String POLICY =
      """
      [[policy.rule]]
      match = "git push"
      decision = "ask"
      """;

  private static final String MAKE = "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"}}";

  @TempDir private Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder, POLICY);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void of_a_spawn() throws IOException {
    var first = keyed("POST", "/tasks", MAKE);
    var taskId = new TaskId(Surface.json(first).path("task_id").stringValue(""));

    assertRemembered("spawn", "POST", "/tasks", taskId.value());
    surface.hosts.start(taskId);
    assertThat(keyed("POST", "/tasks", MAKE).text()).isEqualTo(first.text());
    assertThat(keyed("POST", "/tasks", MAKE.replace(":", " : ")).text()).isEqualTo(first.text());
  }

  @Test
  void of_a_refusal() throws IOException {
    var body = MAKE.replace("bash", "python");
    var first = keyed("POST", "/tasks", body);

    assertRemembered("refusal", "POST", "/tasks", "no task");
    assertThat(keyed("POST", "/tasks", body).text()).isEqualTo(first.text());
  }

  @Test
  void of_a_cancel() throws IOException {
    var taskId = surface.running();

    assertSameLater("cancel", "POST", "/tasks/" + taskId + "/cancel", "{}", taskId);
  }

  @Test
  void of_a_signal() throws IOException {
    var taskId = surface.running();

    assertSameLater(
        "signal", "POST", "/tasks/" + taskId + "/signal", "{\"signal\":\"INT\"}", taskId);
  }

  @Test
  void of_input() throws IOException {
    var taskId = surface.running();
    var body = "{\"text\":\"hunter2\",\"secret\":true,\"eof\":true}";

    assertSameLater("stdin", "POST", "/tasks/" + taskId + "/stdin", body, taskId);
  }

  @Test
  void of_a_new_size() throws IOException {
    var taskId = surface.terminal();

    assertSameLater(
        "resize", "POST", "/tasks/" + taskId + "/resize", "{\"rows\":30,\"cols\":90}", taskId);
  }

  @Test
  void of_an_approval() throws IOException {
    var taskId = held();
    surface.fill();

    assertSame("approve", "POST", "/tasks/" + taskId + "/approve", "", taskId);
  }

  @Test
  void of_a_denial() throws IOException {
    var taskId = held();

    assertSame("deny", "POST", "/tasks/" + taskId + "/deny", "{\"reason\":\"no\"}", taskId);
  }

  @Test
  void of_a_removal() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);

    assertSame("remove", "DELETE", "/tasks/" + taskId, "", taskId);
  }

  @Test
  void of_an_acknowledgement() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    var inbox = "/sessions/cli/inbox";
    var cursor = Surface.json(surface.get(inbox)).path(0).path("cursor").stringValue("");

    assertSame(
        "acknowledge-notices", "POST", inbox + "/ack", "{\"up_to\":\"" + cursor + "\"}", taskId);
  }

  @Test
  void of_a_stop() throws IOException {
    assertDoneOnce("stop-daemon", "/admin/shutdown", "{\"all\":true}", "shutdown WITH_ALL");
  }

  @Test
  void of_a_cleaning() throws IOException {
    assertDoneOnce("clean-up", "/admin/gc", "", "gc");
  }

  @Test
  void of_settings_that_were_read_again() throws IOException {
    assertDoneOnce("reload-config", "/admin/reload", "", "reload");
  }

  @Test
  void of_the_end_of_a_process() throws IOException {
    assertDoneOnce("end-process", "/admin/processes/end", "{\"pid\":4711}", "end 4711");
  }

  @Test
  void of_an_upload() throws IOException {
    var first = keyed("PUT", "/artifacts", "content");

    assertRemembered("store-artifact", "PUT", "/artifacts", Digests.hex("content"));
    var again = keyed("PUT", "/artifacts", "content");
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    assertThat(code(keyed("PUT", "/artifacts", "other"))).isEqualTo("IDEMPOTENCY_CONFLICT");
  }

  @Test
  void the_whole_reply_of_an_earlier_version_is_sent_again_as_it_was() throws IOException {
    assertSentAgain("POST", "/tasks", MAKE);
    assertSentAgain("POST", "/tools/shell", "{\"command\":\"make\"}");
    assertSentAgain("PUT", "/artifacts", "make");
    assertSentAgain("POST", "/tools/tool.output_store", "{\"content\":\"make\"}");
    assertSentAgain("POST", "/sessions/cli/inbox/ack", "{\"ids\":[\"make\"]}");
    assertSentAgain("POST", "/admin/processes/end", "{\"pid\":4711}", "{\"pid\":4712}");
    assertThat(surface.admin).isEmpty();
  }

  private void assertSentAgain(String method, String path, String body) throws IOException {
    assertSentAgain(method, path, body, body.replace("make", "rm"));
  }

  private void assertSentAgain(String method, String path, String body, String other)
      throws IOException {
    var reply = "201 application/json\nLocation /tasks/1\n\n{\"task_id\":\"1\"}";
    remember(method, path, Digests.hex(body), reply);

    var answer = keyed(method, path, body);

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.header("Location")).isEqualTo("/tasks/1");
    assertThat(answer.text()).isEqualTo("{\"task_id\":\"1\"}");
    assertThat(code(keyed(method, path, other))).isEqualTo("IDEMPOTENCY_CONFLICT");
  }

  private void remember(String method, String path, String digest, String reply) {
    surface.engine.remember(
        new IdempotencyKey(PERSON, method + "\n" + path, KEY),
        digest,
        reply.getBytes(StandardCharsets.UTF_8),
        null);
  }

  private TaskId held() throws IOException {
    var answer = surface.tcpCall("POST", "/tasks", Map.of(), MAKE.replace("make", "git push"));
    return new TaskId(Surface.json(answer).path("task_id").stringValue(""));
  }

  /** The same answer though the task went on. */
  private void assertSameLater(
      String golden, String method, String path, String body, TaskId taskId) throws IOException {
    var first = keyed(method, path, body);
    assertRemembered(golden, method, path, taskId.value());
    surface.hosts.exit(taskId, 0, null);

    assertThat(keyed(method, path, body).text()).isEqualTo(first.text());
  }

  private void assertDoneOnce(String golden, String path, String body, String done)
      throws IOException {
    var first = keyed("POST", path, body);
    assertThat(first.status()).as(first.text()).isLessThan(300);
    assertRemembered(golden, "POST", path, "no task");

    assertThat(keyed("POST", path, body).text()).isEqualTo(first.text());
    assertThat(surface.admin).containsExactly(done);
  }

  private void assertSame(String golden, String method, String path, String body, TaskId taskId)
      throws IOException {
    var first = keyed(method, path, body);
    assertRemembered(golden, method, path, taskId.value());

    var again = keyed(method, path, body);
    assertThat(again.status()).isEqualTo(first.status());
    assertThat(again.text()).isEqualTo(first.text());
  }

  private Wire.Answer keyed(String method, String path, String body) throws IOException {
    return surface.keyed(method, path, KEY, body);
  }

  private void assertRemembered(String golden, String method, String path, String taskId)
      throws IOException {
    var key = new IdempotencyKey(PERSON, method + "\n" + path, KEY);
    var reply = surface.journal.reply(key).orElseThrow().reply();
    var text = new String(reply, StandardCharsets.UTF_8).replace(taskId, "TASK");
    var name = "/dev/errand/daemon/verb/outcome-" + golden + ".json";
    try (var recorded = RememberedOutcomesTest.class.getResourceAsStream(name)) {
      assertThat(recorded).as(name).isNotNull();
      assertThat(text + "\n")
          .isEqualTo(new String(recorded.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
