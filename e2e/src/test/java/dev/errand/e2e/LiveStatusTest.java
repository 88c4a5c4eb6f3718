package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What a status says of the processes of a running task at that moment, and of no other task. */
@Timeout(120)
final class LiveStatusTest extends DaemonCase {
  /** It chooses its port itself, and serves the folder that it runs in. */
  private static final String SERVER =
      "'" + Path.of(System.getProperty("java.home"), "bin", "jwebserver") + "' -b 127.0.0.1 -p 0";

  private static List<String> awaitListening(TaskId taskId, int ports) {
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).listening().size() == ports);
    return client.status(taskId).listening();
  }

  private static JsonNode status(TaskId taskId) {
    return client.status(taskId).fields().node();
  }

  @Test
  void a_status_lists_the_ports_of_the_whole_tree_and_a_list_does_not() throws Exception {
    var one = client.spawn(NewTask.shell("exec " + SERVER));
    var two = client.spawn(NewTask.shell(SERVER + " & " + SERVER + " & wait"));
    var idle = client.spawn(NewTask.shell("exec sleep 600"));

    var only = awaitListening(one, 1).getFirst();
    var both = awaitListening(two, 2);

    assertThat(only).startsWith("127.0.0.1:");
    assertThat(both).doesNotContain(only).doesNotHaveDuplicates();
    var ports = status(two).path("ports");
    assertThat(ports.path(0).path("port").intValue())
        .isLessThan(ports.path(1).path("port").intValue());
    assertThat("127.0.0.1:" + ports.path(0).path("port").intValue())
        .isEqualTo(ports.path(0).path("address").stringValue());
    assertThat(sandbox.errand("status", one.value()).succeeded().out())
        .containsPattern("(?m)^listens +" + only + "$");
    assertThat(client.status(idle).fields().has("ports")).isFalse();
    assertThat(client.list(TaskFilter.ALL).tasks()).noneMatch(it -> it.fields().has("ports"));
    var byTool =
        client
            .tools()
            .call(
                "tool.task_status",
                ("{\"task_id\":\"" + one + "\"}").getBytes(StandardCharsets.UTF_8))
            .object("structured");
    assertThat(Json.text(byTool.node().path("ports")))
        .isEqualTo(Json.text(status(one).path("ports")));

    assertThat(client.cancel(two, null, Sandbox.PATIENCE).isEnded()).isTrue();
    assertThat(client.status(two).fields().has("ports")).isFalse();
  }

  @Test
  void a_server_that_has_left_the_tree_of_its_task_is_listed_too() {
    var command = "(setsid " + SERVER + " >/dev/null 2>&1 &); exec sleep 600";

    var taskId = client.spawn(NewTask.shell(command));

    assertThat(awaitListening(taskId, 1).getFirst()).startsWith("127.0.0.1:");
    client.cancel(taskId, null, Sandbox.PATIENCE);
  }

  @Test
  void a_task_whose_processes_are_stopped_says_so_until_they_go_on() throws Exception {
    var taskId = client.spawn(NewTask.shell("sleep 600 & sleep 600; wait"));
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).pid() != null);
    assertThat(client.status(taskId).fields().has("stopped")).isFalse();

    sandbox.errand("signal", taskId.value(), "STOP").succeeded();
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).isStopped());
    assertThat(client.status(taskId).status()).isEqualTo("running");
    assertThat(sandbox.errand("status", taskId.value()).succeeded().out())
        .contains("until it gets the signal CONT: errand signal " + taskId + " CONT");

    sandbox.errand("signal", taskId.value(), "CONT").succeeded();
    await().atMost(Sandbox.PATIENCE).until(() -> !client.status(taskId).isStopped());
    client.cancel(taskId, null, Sandbox.PATIENCE);
  }

  @Test
  void a_task_of_which_only_a_part_is_stopped_is_not() throws Exception {
    var taskId = client.spawn(NewTask.shell("sleep 600 & kill -STOP $!; echo $!; exec sleep 600"));
    Sandbox.awaitOutput(client, taskId);
    assertThat(client.status(taskId).isStopped()).isFalse();

    var pid = client.status(taskId).pid();
    new ProcessBuilder("kill", "-STOP", Long.toString(pid == null ? 0 : pid)).start().waitFor();
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(taskId).isStopped());
    client.cancel(taskId, null, Sandbox.PATIENCE);
  }
}
