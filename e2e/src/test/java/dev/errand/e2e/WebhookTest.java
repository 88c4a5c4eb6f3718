package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A target of a webhook is told all, beside an agent that acknowledges its notices at once. */
@Timeout(120)
final class WebhookTest extends DaemonCase {
  private static final SessionId SESSION = new SessionId("posted");
  private static final int TASKS = 10;

  private final List<JsonNode> notices = new CopyOnWriteArrayList<>();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();

  @Test
  void each_notice_and_event_arrives_though_the_notices_are_acknowledged_at_once()
      throws Exception {
    var target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext("/", this::receive);
    target.start();
    try {
      var url = "http://127.0.0.1:" + target.getAddress().getPort() + "/";
      client.inbox(SESSION).setWebhook(url, null, false, List.of("status", "watch", "output"));
      var ids = new HashSet<String>();
      for (var i = 0; i < TASKS; i++) {
        var task = NewTask.shell("echo ERROR " + i + "; exit 3").session(SESSION.value());
        acknowledge(client.spawn(task.watch("error", TaskCondition.regex("^ERROR \\d+"))), ids);
      }

      await()
          .atMost(Sandbox.PATIENCE)
          .untilAsserted(() -> assertThat(texts(notices, "id")).isEqualTo(ids));
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> count("status", "exited") == TASKS && count("watch", "") == TASKS);
      assertThat(count("status", "running")).isEqualTo(TASKS);
      assertThat(count("output", "")).isEqualTo(TASKS);
      assertThat(events).extracting(it -> text(it, "id")).doesNotHaveDuplicates();
      assertThat(events)
          .filteredOn(it -> text(it, "status").equals("exited"))
          .allSatisfy(it -> {
            assertThat(it.path("exit_code").intValue()).isEqualTo(3);
            assertThat(text(it, "snippet")).startsWith("ERROR ");
          });
      assertThat(sandbox.errand("webhook", "show", "--session", "posted").succeeded().out())
          .contains("signed, with events status,watch,output");
    } finally {
      target.stop(0);
    }
  }

  /** As soon as its end is told, as an agent does between two turns. */
  private static void acknowledge(TaskId taskId, Set<String> ids) {
    var inbox = client.inbox(SESSION);
    var ended = false;
    while (!ended) {
      for (var notice : inbox.read(null, 10, Duration.ofSeconds(30))) {
        ids.add(notice.text("id"));
        inbox.acknowledge(List.of(notice.text("id")));
        ended =
            notice.text("kind").equals("ended") && notice.text("task_id").equals(taskId.value());
      }
    }
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var isEvent = exchange.getRequestHeaders().containsKey("Errand-Event-Id");
      (isEvent ? events : notices).add(Json.read(exchange.getRequestBody().readAllBytes()));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  private long count(String kind, String status) {
    return events.stream()
        .filter(it -> text(it, "kind").equals(kind) && text(it, "status").equals(status))
        .count();
  }

  private static Set<String> texts(List<JsonNode> nodes, String name) {
    var texts = new HashSet<String>();
    nodes.forEach(it -> texts.add(text(it, name)));
    return texts;
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }
}
