package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What tasks wait for, and what they take with them, on the real daemon. */
@DaemonCase.Settings("[tasks]\nmax_concurrent_per_session = 2\norphan_ttl = \"1s\"\n")
final class TurnsTest extends DaemonCase {
  @Test
  void a_service_that_is_ready_by_its_port_lets_its_lane_go_on() throws IOException {
    var port = freePort();
    var server = Path.of(System.getProperty("java.home"), "bin", "jwebserver");
    var service =
        client.spawn(
            NewTask.shell("sleep 0.5; exec '%s' -b 127.0.0.1 -p %d".formatted(server, port))
                .lane("dev")
                .service()
                .readyWhen(TaskCondition.port(port)));
    var next = client.spawn(NewTask.shell("exit 0").lane("dev"));
    assertThat(client.status(next).queuedBehind()).isEqualTo(service.value());

    assertThat(end(next).status()).isEqualTo("exited");

    assertThat(client.status(service).status()).isEqualTo("running");
    client.cancel(service, "enough", Sandbox.PATIENCE);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void a_chain_runs_in_its_order_and_fails_behind_its_first_failure() {
    var first = client.spawn(NewTask.shell("sleep 0.2"));
    var second = client.spawn(NewTask.shell("exit 4").after(List.of(first)));
    var third = client.spawn(NewTask.shell("exit 0").after(List.of(second)));
    var last = client.spawn(NewTask.shell("exit 0").afterAny(List.of(third)));

    var ends = Stream.of(first, second, third, last).map(TurnsTest::end).toList();

    assertThat(ends)
        .extracting(TaskStatus::status)
        .containsExactly("exited", "exited", "failed", "exited");
    assertThat(ends.get(2).reason()).isEqualTo("dependency_failed");
    assertThat(ends.get(2).message()).contains(second.value(), "exit code 4");
    assertThat(ends.get(1).startedAt()).isAfterOrEqualTo(ends.getFirst().endedAt());
  }

  @Test
  void a_delay_and_a_batch_are_asked_for_from_the_command_line() throws Exception {
    var spawned = sandbox.errand("spawn", "--delay", "300ms", "--batch", "night", "--", "true");
    assertThat(spawned.code()).isZero();

    var waited = sandbox.errand("batch", "wait", "night");

    assertThat(waited.code()).isZero();
    var task = end(new TaskId(spawned.out().strip()));
    assertThat(task.startedAt()).isAfterOrEqualTo(task.createdAt().plusMillis(300));
    assertThat(sandbox.errand("session", "ls").out()).contains("cli");
  }

  @Test
  void what_a_task_starts_is_cancelled_with_it() {
    var body = "{\"tool\":\"bash\",\"args\":{\"command\":\"sleep 600\"},\"label\":\"child\"}";
    var spawning = Ask.line(sandbox.home().socket(), "POST", "/tasks", body);
    var parent = client.spawn(NewTask.shell(spawning + "; sleep 600").session("family"));
    var child =
        Awaitility.await()
            .atMost(Sandbox.PATIENCE)
            .until(
                () -> client.list(TaskFilter.ALL.label("child")).tasks(), found -> !found.isEmpty())
            .getFirst();
    assertThat(child.fields().text("parent_task_id")).isEqualTo(parent.value());

    client.cancel(parent, "enough", Sandbox.PATIENCE);

    var ended = end(child.taskId());
    assertThat(ended.status()).isEqualTo("cancelled");
    assertThat(ended.message()).contains(parent.value(), "enough");
  }

  @Test
  void what_runs_in_a_session_that_is_ended_goes_on_and_its_results_stay_for_a_while()
      throws Exception {
    var gate = sandbox.folder().resolve("gate");
    var line = "while [ ! -e '%s' ]; do sleep 0.05; done; echo kept".formatted(gate);
    var ended = client.spawn(NewTask.shell("exit 0").session("left"));
    var running = client.spawn(NewTask.shell(line).session("left"));
    end(ended);

    sandbox.errand("session", "end", "left").succeeded();

    awaitRemoved(ended);
    assertThat(client.status(running).status()).isEqualTo("running");
    Files.createFile(gate);
    assertThat(end(running).exitCode()).isZero();
    assertThat(Recording.of(client, running).stdout().text()).isEqualTo("kept\n");
    awaitRemoved(running);
  }

  private static void awaitRemoved(TaskId taskId) {
    Awaitility.await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() -> {
          client.gc();
          assertThatThrownBy(() -> client.status(taskId)).hasMessageContaining("session was ended");
        });
  }

  @Test
  void tasks_that_wait_for_what_they_have_started_fill_no_quota_for_ever() throws IOException {
    var last = script("last", "exit 0");
    var middle = script("middle", calling(last));
    var first = script("first", calling(middle));

    var parents = Stream.generate(() -> counted(first)).limit(3).toList();

    assertThat(parents).allSatisfy(it -> assertThat(end(it).exitCode()).isZero());
    var family = client.list(TaskFilter.ALL.session("quota")).tasks();
    assertThat(family).hasSize(9).allMatch(it -> Objects.equals(it.exitCode(), 0));
  }

  private static Path script(String name, String command) throws IOException {
    return Files.writeString(sandbox.folder().resolve(name), command + "\n");
  }

  /** The tool answers when the command that it starts is over. */
  private static String calling(Path script) {
    var body = "{\"command\":\"sh %s\",\"session_id\":\"quota\"}".formatted(script);
    return Ask.line(sandbox.home().socket(), "POST", "/tools/shell", body) + " | grep -q succeeded";
  }

  private static TaskId counted(Path script) {
    var body = "{\"command\":\"sh %s\",\"session_id\":\"quota\"}".formatted(script);
    var answer = client.tools().call("task_spawn", body.getBytes(StandardCharsets.UTF_8));
    return new TaskId(answer.object("structured").text("task_id"));
  }

  private static TaskStatus end(TaskId taskId) {
    return client.waitEnd(taskId, Sandbox.PATIENCE);
  }
}
