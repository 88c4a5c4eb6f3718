package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.EventStream;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The value of a secret is in nothing that is told of its task, whoever is told and however. */
@Timeout(120)
final class SecretTest extends DaemonCase {
  private static final String VALUE = "swordfish-is-long-enough";
  private static final String TYPED = "typed " + VALUE + "\n";
  private static final SessionId SESSION = new SessionId("hushed");

  private final List<String> delivered = new CopyOnWriteArrayList<>();

  @Test
  void no_frame_notice_webhook_log_or_screen_has_the_value() throws Exception {
    var target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext("/", this::receive);
    target.start();
    try {
      var url = "http://127.0.0.1:" + target.getAddress().getPort() + "/";
      client.inbox(SESSION).setWebhook(url, null, false);
      var piped = client.spawn(task("echo key=$KEY; echo key=$KEY >&2; cat").withStdin());
      var typed = client.spawn(task("echo key=$KEY; cat").pty(5, 80));
      for (var taskId : List.of(piped, typed)) {
        awaitHit(taskId);
        client.stdin(taskId, TYPED.getBytes(UTF_8), false);
        client.stdin(taskId, new byte[0], true);
      }

      var told = new ArrayList<String>();
      for (var taskId : List.of(piped, typed)) {
        var recording = Recording.of(client, taskId);
        assertThat(recording.status().exitCode()).isZero();
        assertThat(recording.ofType(FrameType.WATCHER_HIT))
            .isNotEmpty()
            .allSatisfy(it -> assertThat(it.fields().text("snippet")).contains("[secret:KEY]"));
        told.add(recording.status().text());
        recording.frames().forEach(it -> told.add(it.text()));
        recording.ofType(FrameType.STDIN_WRITTEN).forEach(it -> told.add(typed(it)));
      }
      // Each task has hits and an end.
      await().atMost(Sandbox.PATIENCE).until(() -> ends() == 2);
      told.addAll(delivered);
      told.addAll(texts(client.inbox(SESSION).now(true)));
      told.addAll(texts(client.allHistory(null)));
      told.add(sandbox.errand("inbox", "--session", SESSION.value()).succeeded().out());
      told.add(new String(client.screen(typed, null, "text", true), UTF_8));
      told.add(new String(client.tail(piped, LogStream.STDOUT, 1000).bytes(), UTF_8));
      assertThat(told)
          .as("what was told")
          .noneMatch(it -> it.contains(VALUE))
          .filteredOn(it -> it.contains("[secret:KEY]"))
          .hasSizeGreaterThan(10);
      sandbox.assertNowhere(VALUE);
      // As what was typed is written down; the end depends on what comes behind the value.
      sandbox.assertNowhere(
          Base64.getEncoder().encodeToString(TYPED.getBytes(UTF_8)).substring(0, 24));
    } finally {
      target.stop(0);
    }
  }

  private static NewTask task(String line) {
    return NewTask.shell(line)
        .secret("KEY", VALUE)
        .session(SESSION.value())
        .watch("key", TaskCondition.regex("key="))
        .watch("typed", TaskCondition.regex("typed"));
  }

  private static String typed(EventFrame frame) {
    return new String(Base64.getDecoder().decode(frame.fields().text("chunk_b64")), UTF_8);
  }

  private static void awaitHit(TaskId taskId) {
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            Recording.frames(client, taskId).stream()
                .anyMatch(it -> it.type().equals(FrameType.WATCHER_HIT)));
  }

  private long ends() {
    return delivered.stream().filter(it -> it.contains("\"kind\":\"ended\"")).count();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      delivered.add(
          exchange.getRequestHeaders()
              + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  private static List<String> texts(EventStream events) {
    var texts = new ArrayList<String>();
    try (events) {
      for (var frame = events.next(); frame != null; frame = events.next()) {
        texts.add(frame.text());
      }
    }
    return texts;
  }
}
