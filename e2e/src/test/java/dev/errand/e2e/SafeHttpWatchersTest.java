package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** A caller that is not trusted with this machine does not reach its servers by watchers. */
@Timeout(120)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [[policy.rule]]
    match = '.*'
    decision = "allow"
    operators = true
    """)
final class SafeHttpWatchersTest extends DaemonCase {

  @Test
  void a_safe_task_asks_servers_of_its_session_and_nobody_else() throws Exception {
    var asked = new AtomicInteger();
    var stranger =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    stranger.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    stranger.start();
    try {
      var port = freePort();
      var server = spawn("exec '%s' -b 127.0.0.1 -p %d".formatted(jwebserver(), port), "");
      var strangerPort = stranger.getAddress().getPort();
      var watching =
          spawn(
              "exec sleep 600",
              """
              , "watch": [{"event": "strange", "http": "http://localhost:%d/"},
                          {"event": "own", "http": "http://localhost:%d/"},
                          {"event": "strange", "http": "http://127.0.0.1:%d/"}]
              """
                  .formatted(strangerPort, port, strangerPort));

      await()
          .atMost(Sandbox.PATIENCE)
          .untilAsserted(() -> assertThat(hits(watching)).containsExactly("own"));
      assertThat(asked).hasValue(0);
      client.cancel(watching, null, Sandbox.PATIENCE);
      client.cancel(server, null, Sandbox.PATIENCE);
    } finally {
      stranger.stop(0);
    }
  }

  private static List<String> hits(TaskId taskId) throws IOException {
    return Recording.frames(client, taskId).stream()
        .filter(it -> it.type().equals(FrameType.WATCHER_HIT))
        .map(it -> it.fields().text("event"))
        .toList();
  }

  /** With the token of the home, whose profile is safe. */
  private static TaskId spawn(String command, String more) throws Exception {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var body = "{\"tool\": \"bash\", \"args\": {\"command\": \"%s\"} %s}".formatted(command, more);
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/tasks"))
            .header("Authorization", "Bearer " + Files.readString(sandbox.home().token()).strip())
            .POST(HttpRequest.BodyPublishers.ofString(body));
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      return new TaskId(
          JsonMapper.shared().readTree(answer.body()).path("task_id").stringValue(""));
    }
  }

  private static Path jwebserver() {
    return Path.of(System.getProperty("java.home"), "bin", "jwebserver");
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
