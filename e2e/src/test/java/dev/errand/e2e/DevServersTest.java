package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What an agent has left running does not keep it from its next command. */
@Timeout(120)
@DaemonCase.Settings("[tasks]\nservice_settle = \"300ms\"\n")
final class DevServersTest extends DaemonCase {
  private static final int QUOTA = 5;

  private static JsonNode tool(String name, String arguments) {
    var body = arguments.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return client.tools().call(name, body).object("structured").node();
  }

  private static TaskId started(String name, String arguments) {
    var answer = tool(name, arguments);
    var id = answer.path("task_id").stringValue("") + answer.path("run_id").stringValue("");
    return new TaskId(id);
  }

  private static List<TaskId> five(String name, String arguments) {
    var all = new ArrayList<TaskId>();
    for (var i = 0; i < QUOTA; i++) {
      all.add(started(name, arguments));
    }
    return all;
  }

  private static void awaitRunning(TaskId taskId) {
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).status().equals("running"));
  }

  private static JsonNode queue(TaskStatus status) {
    return Json.read(status.text().getBytes(StandardCharsets.UTF_8)).path("queue");
  }

  private static void restart() throws IOException {
    sandbox.killDaemon();
    sandbox.serve();
  }

  @Test
  void five_dev_servers_of_a_session_do_not_block_its_sixth_command() throws Exception {
    var servers =
        five(
            "shell",
            "{'action':'spawn','session_id':'servers','service':true,'command':'exec sleep 600'}");
    var sixth = "{'action':'spawn','session_id':'servers','command':'echo built'}";

    var built = started("shell", sixth);
    assertThat(client.waitEnd(built, Sandbox.PATIENCE).exitCode()).isEqualTo(0);
    restart();
    var again = started("shell", sixth);
    assertThat(client.waitEnd(again, Sandbox.PATIENCE).exitCode()).isEqualTo(0);

    assertThat(servers).allMatch(it -> client.status(it).status().equals("running"));
  }

  @Test
  void five_background_tasks_do_not_take_a_short_command_away() {
    var spawn = "{'command':'exec sleep 600','session_id':'busy'}";
    var running = five("task_spawn", spawn);
    var waiting = started("task_spawn", spawn);

    var answer = tool("shell", "{'command':'echo hello','session_id':'busy'}");

    assertThat(answer.path("stdout").stringValue("")).isEqualTo("hello\n");
    var queue = queue(client.status(waiting));
    assertThat(queue.path("reason").stringValue("")).isEqualTo("session_quota");
    assertThat(queue.path("ahead").path("tasks"))
        .extracting(it -> new TaskId(it.stringValue("")))
        .containsExactlyElementsOf(running);
  }

  @Test
  void a_command_whose_call_was_cut_off_by_a_restart_counts_from_then_on() throws Exception {
    var call =
        CompletableFuture.supplyAsync(
            () -> tool("shell", "{'command':'exec sleep 600','session_id':'cut','label':'cut'}"),
            Thread::startVirtualThread);
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> client.list(TaskFilter.ALL.label("cut")).tasks().size() == 1);
    var called = client.list(TaskFilter.ALL.label("cut")).tasks().getFirst().taskId();
    var spawn = "{'command':'exec sleep 600','session_id':'cut'}";
    var others = five("task_spawn", spawn);
    awaitRunning(called);
    others.forEach(DevServersTest::awaitRunning);

    restart();
    var ahead = queue(client.status(started("task_spawn", spawn))).path("ahead");

    assertThat(ahead.path("limit").intValue(0)).isEqualTo(QUOTA);
    assertThat(ahead.path("tasks").path(0).stringValue("")).isEqualTo(called.value());
    assertThat(ahead.path("more").intValue(0)).isEqualTo(1);
    client.cancel(called, "enough", Sandbox.PATIENCE);
    assertThat(call.handle((_, _) -> true).join()).isTrue();
  }
}
