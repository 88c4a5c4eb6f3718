package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.TaskFilter;
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
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Watchers and readiness of real processes, also while the daemon is killed. */
@Timeout(120)
// Each hit shall have a frame of its own, so that each can be told.
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [policy]
    profile = "full-auto"

    [watch]
    last_look = "1h"
    burst_hits = 1000
    max_watcher_hits = 100000
    """)
final class WatchTest extends DaemonCase {
  /** Spawns with all fields that a request can have. */
  static TaskId spawn(String command, String more) throws Exception {
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

  /**
   * Patterns that make searchers slow which go back or keep many states, each with an end of its
   * own: half of them begin like every line, and none hits one that is not its own. Only a whole
   * line has the semicolon, for one that is written slowly may be looked at before it is whole.
   */
  private static final List<String> HOSTILE =
      List.of(
          "(a*)*#0;$",
          "(a|aa)+b?#1;$",
          "^(([ab])+.)+#2;$",
          "[ab]*a[ab]{12}#3;$",
          "(a?){24}a{24}#4;$",
          "(.*)(.*)(.*)(.*)#5;$",
          "([ab]{3,9}){9}#6;$",
          "(?i)" + "error|fatal|panic|abort|".repeat(9) + "oops#7;$",
          "\\b(\\w+\\W?)+#8;$",
          "[^\\n]{200}#9;$",
          "(a+b+)+a*#10;$",
          "(|a|b|ab|ba|aba)*#11;$",
          "((a{9}|b{9}){9}|[ab])#12;$",
          "^.*.*.*=#13;$",
          "(?:x|[^x])*#14;$",
          "b;$");

  /** Far below what comes on a busy machine: it is there to find what stands still. */
  private static final int ANSWERS_MIN = 5;

  @Test
  @Timeout(3_600)
  void sixteen_hostile_watchers_find_each_hit_in_a_flood_while_the_daemon_answers()
      throws Exception {
    var rounds = Integer.getInteger("errand.watch_mib", 2);
    var noise = Files.writeString(sandbox.folder().resolve("noise"), noise());
    var hits = Files.writeString(sandbox.folder().resolve("hits"), hitLines());
    var taskId =
        spawn(
            "for i in $(seq %d); do cat '%s' '%s'; done".formatted(rounds, noise, hits),
            "\"watch\":" + watchers());

    var answers = new AtomicInteger();
    await()
        .forever()
        .until(() -> {
          assertThat(client.list(TaskFilter.ALL).tasks()).isNotEmpty();
          answers.incrementAndGet();
          return client.status(taskId).isEnded();
        });
    assertThat(answers).as("answers while it floods").hasValueGreaterThan(ANSWERS_MIN);

    var recording = Recording.of(client, taskId);
    assertThat(recording.status().exitCode()).isZero();
    var found =
        hits(recording.frames()).stream()
            .collect(
                Collectors.groupingBy(it -> it.replaceFirst(":.*", ""), Collectors.counting()));
    assertThat(found).hasSize(HOSTILE.size());
    assertThat(found.values()).containsOnly((long) rounds);
    assertThat(hits(recording.frames()))
        .allMatch(it -> it.startsWith("w15:") ? it.endsWith("b;") : it.matches("w(\\d+):.*#\\1;"));
    assertThat(recording.ofType(FrameType.WATCHER_SILENCED)).isEmpty();
  }

  /** About a mebibyte of lines in which nearly every pattern gets far, and none hits. */
  private static String noise() {
    var random = new Random(30);
    var text = new StringBuilder();
    while (text.length() < 1 << 20) {
      for (var i = random.nextInt(200); i > 0; i--) {
        text.append(random.nextInt(9) == 0 ? ' ' : random.nextBoolean() ? 'a' : 'b');
      }
      text.append("a#\n");
    }
    return text.toString();
  }

  private static String hitLines() {
    var text = new StringBuilder();
    for (var i = 0; i < HOSTILE.size() - 1; i++) {
      var begin = i == 7 ? "oops" : i == 13 ? "=" : "ab".repeat(120) + "a".repeat(40);
      text.append(begin).append('#').append(i).append(";\n");
    }
    return text.append("ab;\n").toString();
  }

  private static String watchers() {
    var all = JsonMapper.shared().createArrayNode();
    for (var i = 0; i < HOSTILE.size(); i++) {
      all.addObject().put("event", "w" + i).put("regex", HOSTILE.get(i));
    }
    return all.toString();
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
