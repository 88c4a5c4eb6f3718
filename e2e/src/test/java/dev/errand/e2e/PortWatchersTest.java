package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.testkit.Alone;
import dev.errand.wire.client.ErrandClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** Many who wait for ports cost no more than one, and hold nobody up. */
@Alone
@Timeout(180)
@DaemonCase.Settings(
    """
    [http]
    listen = "127.0.0.1:0"

    [policy]
    profile = "full-auto"
    """)
final class PortWatchersTest extends DaemonCase {
  private static final int WATCHERS = 120;
  private static final int ASKED = 20;

  /** Generous, since before there was one reader for all of them nothing was answered at all. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  private static final Duration MEASURED = Duration.ofSeconds(3);

  /** Of one processor, all of the daemon together; each watcher took 5 % by itself before. */
  private static final double PROCESSOR_SHARE_MAX = 0.6;

  private static HttpResponse<String> ask(HttpClient http, String target, String body)
      throws IOException, InterruptedException {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + target))
            .timeout(ANSWER_MAX)
            .header("Authorization", "Bearer " + Files.readString(sandbox.home().token()).strip());
    var whole = body.isEmpty() ? request : request.POST(HttpRequest.BodyPublishers.ofString(body));
    return http.send(whole.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String spawn(HttpClient http, String command, int port) throws Exception {
    var body =
        """
        {"tool": "bash", "args": {"command": "%s"}, "watch": [{"event": "up", "port": %d}]}
        """
            .formatted(command, port);
    var answer = ask(http, "/tasks", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JsonMapper.shared().readTree(answer.body()).path("task_id").stringValue("");
  }

  @Test
  void a_hundred_port_watchers_cost_little_hold_nobody_up_and_miss_nothing() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      for (var i = 0; i < WATCHERS; i++) {
        spawn(http, "exec sleep 600", 1 + i);
      }
      for (var i = 0; i < ASKED; i++) {
        assertThat(ask(http, "/healthz", "").statusCode()).isEqualTo(200);
      }
      var before = processorMillis();
      Thread.sleep(MEASURED);
      assertThat((processorMillis() - before) / (double) MEASURED.toMillis())
          .isLessThan(PROCESSOR_SHARE_MAX);

      var port = freePort();
      var java = Path.of(System.getProperty("java.home"), "bin", "jwebserver");
      var server = spawn(http, "exec '%s' -b 127.0.0.1 -p %d".formatted(java, port), port);
      var up =
          sandbox.errand(
              "wait", server, "--until", "port:" + port, "--until", "exit", "--timeout", "40s");
      assertThat(up.succeeded().out()).contains("127.0.0.1:" + port);
    }
  }

  /** What the daemon has used of all processors. */
  private static long processorMillis() throws IOException {
    var stat = Files.readString(Path.of("/proc/" + sandbox.daemonPid() + "/stat"));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
