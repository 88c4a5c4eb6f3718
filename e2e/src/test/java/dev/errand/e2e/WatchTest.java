package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.Until;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Watchers and readiness of real processes, also while the daemon is killed. */
@Timeout(120)
final class WatchTest {
  private static Sandbox sandbox;
  private static ErrandClient client;

  @BeforeAll
  static void start_a_daemon() throws Exception {
    // Each hit shall have a frame of its own, so that each can be told.
    sandbox =
        Sandbox.create(
            """
            [http]
            listen = "127.0.0.1:0"

            [policy]
            profile = "full-auto"

            [watch]
            burst_hits = 1000
            max_watcher_hits = 100000
            """);
    sandbox.serve();
    client = sandbox.client();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    client.close();
    sandbox.close();
  }

  /** Spawns with all fields that a request can have. */
  private static TaskId spawn(String command, String more) throws Exception {
    var body = (ObjectNode) JsonMapper.shared().readTree("{" + more + "}");
    body.put("tool", "bash").putObject("args").put("command", command);
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/tasks"))
            .header("Authorization", "Bearer " + Files.readString(sandbox.home().token()).strip())
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      return new TaskId(
          JsonMapper.shared().readTree(answer.body()).path("task_id").stringValue(""));
    }
  }

  private static List<String> hits(List<EventFrame> frames) {
    return frames.stream()
        .filter(it -> it.type().equals(FrameType.WATCHER_HIT))
        .map(it -> it.fields().text("event") + ":" + it.fields().text("snippet"))
        .toList();
  }

  @Test
  void a_server_is_ready_when_it_answers_and_its_port_is_seen() throws Exception {
    var port = freePort();
    var taskId =
        spawn(
            "sleep 0.2; exec '%s' -b 127.0.0.1 -p %d"
                .formatted(Path.of(System.getProperty("java.home"), "bin", "jwebserver"), port),
            """
            "watch": [{"event": "up", "port": %d, "once": true}],
            "ready_when": {"http": "http://127.0.0.1:%d/"}
            """
                .formatted(port, port));

    var ready = sandbox.errand("wait", taskId.value(), "--until", "ready", "--timeout", "40s");

    assertThat(ready.line()).endsWith(" ready");
    assertThat(client.status(taskId).fields().number("ready_at_ms")).isPositive();
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() ->
            assertThat(hits(Recording.frames(client, taskId)))
                .singleElement()
                .asString()
                .startsWith("up:listens on 127.0.0.1:" + port));
    client.cancel(taskId, null, Sandbox.PATIENCE);
    var over = client.await(taskId, Until.ready(), Sandbox.PATIENCE);
    assertThat(over.held()).isNull();
    assertThat(over.timedOut()).isFalse();
  }

  @Test
  void what_is_written_last_hits_before_the_end() throws Exception {
    var taskId =
        spawn(
            "echo one; printf 'famous last words'; exit 3",
            """
            "watch": [{"event": "last", "regex": "words$"}, {"event": "none", "regex": "first"}]
            """);

    var recording = Recording.of(client, taskId);

    assertThat(hits(recording.frames())).containsExactly("last:famous last words");
    var hit = recording.ofType(FrameType.WATCHER_HIT).getFirst();
    assertThat(hit.fields().number("offset")).isEqualTo(16);
    assertThat(hit.fields().number("end_offset")).isEqualTo(21);
    assertThat(recording.status().exitCode()).isEqualTo(3);
  }

  @Test
  void at_a_terminal_colours_are_no_part_of_a_line_and_a_prompt_is_seen() throws Exception {
    var taskId =
        spawn(
            "printf '\\033[32mbuild \\033[1mok\\033[0m\\n'; read -p 'Your name? ' name; echo \"hi"
                + " $name\"",
            """
            "execution_mode": "pty",
            "watch": [{"event": "built", "regex": "^build ok$"}, {"event": "asks", "prompt": true}]
            """);

    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() ->
            assertThat(hits(Recording.frames(client, taskId)))
                .containsExactly("built:build ok", "asks:Your name? "));
    client.cancel(taskId, null, Sandbox.PATIENCE);
  }

  @Test
  void every_hit_is_recorded_once_though_the_daemon_is_killed_while_they_come() throws Exception {
    var gate = sandbox.folder().resolve("gate");
    var taskId =
        spawn(
            "i=0; while [ ! -e '%s' ]; do i=$((i+1)); echo \"hit $i\"; echo noise; sleep 0.03; done; echo \"last $i\""
                .formatted(gate),
            """
            "watch": [{"event": "n", "regex": "^hit \\\\d+$"}, {"event": "end", "regex": "^last"}]
            """);
    for (var i = 0; i < 2; i++) {
      awaitMoreHits(taskId);
      sandbox.killDaemon();
      sandbox.serve();
    }
    awaitMoreHits(taskId);
    var pid = client.status(taskId).fields().number("pid");
    sandbox.killDaemon();
    Files.createFile(gate);
    await().atMost(Sandbox.PATIENCE).until(() -> !Sandbox.isAlive(pid));
    sandbox.serve();

    var recording = Recording.of(client, taskId);

    var last = Integer.parseInt(recording.stdout().lines().getLast().substring(5));
    assertThat(hits(recording.frames()).stream().filter(it -> it.startsWith("n:")))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, last).mapToObj(it -> "n:hit " + it).toList());
    assertThat(hits(recording.frames())).endsWith("end:last " + last);
    assertThat(recording.ofType(FrameType.WATCHER_SILENCED)).isEmpty();
  }

  private static void awaitMoreHits(TaskId taskId) {
    var before = hits(Recording.frames(client, taskId)).size();
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> hits(Recording.frames(client, taskId)).size() > before + 10);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
