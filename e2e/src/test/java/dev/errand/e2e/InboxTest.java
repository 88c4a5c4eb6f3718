package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Notices as consumers see them, while the daemon is killed at random moments. */
@Timeout(180)
final class InboxTest {
  private static final long SEED = Long.getLong("errand.inbox.seed", 20_261_116);
  private static final int KILLS = 4;
  private static final int BETWEEN_KILLS_MS_MAX = 600;
  private static final SessionId READ = new SessionId("read");
  private static final SessionId HOOKED = new SessionId("hooked");
  private static final SessionId LOST = new SessionId("lost");

  private static final String ASKING =
      """
      [[policy.rule]]
      match = "^echo held"
      decision = "ask"
      """;

  /** The kinds of notices that are due of each task. */
  private final Map<String, Set<String>> due = new ConcurrentHashMap<>();

  private final CountDownLatch enough = new CountDownLatch(1);

  /** The notices that were seen of each task, by their kind. */
  private final Map<String, Map<String, Set<String>>> seen = new ConcurrentHashMap<>();

  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> cameAgain = ConcurrentHashMap.newKeySet();

  @Test
  void each_end_hit_and_question_is_told_once_and_never_again_once_it_is_acknowledged()
      throws Exception {
    System.out.println("the seed is " + SEED);
    var target = target();
    try (var sandbox = Sandbox.create(ASKING)) {
      sandbox.serve();
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var url = "http://127.0.0.1:" + target.getAddress().getPort() + "/";
        client.inbox(HOOKED).setWebhook(url, "s3cret", true);
        var spawning = threads.submit(() -> spawn(client));
        var consuming = threads.submit(() -> consume(client));
        killAgainAndAgain(sandbox, client);
        enough.countDown();
        spawning.get();
        consuming.get();
        check(client);
        callersWhoAreLost(sandbox, client);
      }
    } finally {
      target.stop(0);
    }
  }

  /** However slow the machine is, something is asked for between two kills. */
  private void killAgainAndAgain(Sandbox sandbox, ErrandClient client)
      throws IOException, InterruptedException {
    var random = new Random(SEED);
    for (var i = 0; i < KILLS; i++) {
      var before = due.size();
      await().atMost(Sandbox.PATIENCE).until(() -> due.size() > before + 1);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(BETWEEN_KILLS_MS_MAX));
      if (i == 0) {
        askAndLeave(sandbox, client, "killed", sandbox::killDaemon);
      } else {
        sandbox.killDaemon();
      }
      sandbox.serve();
    }
  }

  private boolean spawn(ErrandClient client) throws InterruptedException {
    for (var i = 0; !enough.await(40, TimeUnit.MILLISECONDS); i++) {
      var session = i % 2 == 0 ? READ : HOOKED;
      var word = i % 4 == 0 ? "seen" : i % 6 == 2 ? "held" : "plain";
      var task =
          NewTask.shell("echo " + word + " " + i)
              .session(session.value())
              .watch("hit", TaskCondition.regex("^seen"));
      var kinds =
          switch (word) {
            case "seen" -> Set.of("watcher", "ended");
            case "held" -> Set.of("waiting_for_input", "ended");
            default -> Set.of("ended");
          };
      due.put(client.spawn(task, "key-" + i).value(), kinds);
    }
    return true;
  }

  /** Handles what comes, and now and then forgets to say so, as one that is killed would. */
  private boolean consume(ErrandClient client) throws InterruptedException {
    var random = new Random(SEED);
    var inbox = client.inbox(READ);
    while (true) {
      var last = enough.await(0, TimeUnit.MILLISECONDS);
      var page = inbox.read(null, 20, Duration.ofSeconds(last ? 2 : 1));
      if (last && page.isEmpty()) {
        return true;
      }
      for (var notice : page) {
        saw(notice.node());
        if (notice.text("kind").equals("waiting_for_input")) {
          answer(client, new TaskId(notice.text("task_id")));
        } else if (random.nextInt(4) > 0) {
          inbox.acknowledge(List.of(notice.text("id")));
          acknowledged.add(notice.text("id"));
        }
      }
    }
  }

  /** The answer alone takes the question away. */
  private void answer(ErrandClient client, TaskId taskId) {
    try {
      client.approve(taskId);
    } catch (ErrandException e) {
      assertThat(e.code()).as("it was answered before a kill").isEqualTo(ErrorCode.NOT_HELD);
    }
  }

  private void saw(JsonNode notice) {
    var id = notice.path("id").stringValue("");
    seen.computeIfAbsent(notice.path("task_id").stringValue(""), _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(notice.path("kind").stringValue(""), _ -> ConcurrentHashMap.newKeySet())
        .add(id);
    if (acknowledged.contains(id)) {
      cameAgain.add(id);
    }
  }

  private void check(ErrandClient client) {
    assertThat(due).hasSizeGreaterThan(KILLS);
    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(kinds()).isEqualTo(due));
    assertThat(seen.values())
        .allSatisfy(it -> assertThat(it.values()).allSatisfy(ids -> assertThat(ids).hasSize(1)));
    assertThat(cameAgain).isEmpty();
    for (var session : List.of(READ, HOOKED)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> client.inbox(session).read(null, 1, Duration.ZERO).isEmpty());
    }
  }

  private Map<String, Set<String>> kinds() {
    var kinds = new HashMap<String, Set<String>>();
    seen.forEach((taskId, ofTask) -> kinds.put(taskId, Set.copyOf(ofTask.keySet())));
    return kinds;
  }

  /** Of commands in the foreground, whose answer nobody gets, the inbox tells. */
  private static void callersWhoAreLost(Sandbox sandbox, ErrandClient client) throws IOException {
    askAndLeave(sandbox, client, "gone", () -> {});
    var heard = client.tools().call("shell", Json.bytes(foreground("echo heard")));
    assertThat(heard.text("text")).startsWith("heard\nrun ");
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() ->
            assertThat(client.inbox(LOST).read(null, 10, Duration.ZERO))
                .extracting(it -> it.text("summary"))
                .containsExactlyInAnyOrder("killed", "gone"));
  }

  private interface Loss {
    void happens() throws IOException;
  }

  /** The command ends only when its caller is gone, however slow the machine is. */
  private static void askAndLeave(Sandbox sandbox, ErrandClient client, String word, Loss loss)
      throws IOException {
    var left = sandbox.home().root().resolveSibling(word);
    var command = "until [ -e '%s' ]; do sleep 0.05; done; echo %s".formatted(left, word);
    var running = TaskFilter.ALL.session(LOST.value()).active(true);
    var body = Json.text(foreground(command));
    var request =
        "POST /tools/shell HTTP/1.1\r\nHost: errand\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(sandbox.home().socket()))) {
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() ->
              client.list(running).tasks().stream().anyMatch(it -> it.command().equals(command)));
      loss.happens();
    }
    Files.createFile(left);
  }

  private static ObjectNode foreground(String command) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("command", command)
        .put("session_id", LOST.value());
  }

  private HttpServer target() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.start();
    return server;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      saw(Json.read(exchange.getRequestBody().readAllBytes()));
      exchange.sendResponseHeaders(204, -1);
    }
  }
}
