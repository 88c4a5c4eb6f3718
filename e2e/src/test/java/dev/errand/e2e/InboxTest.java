package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.task.SessionId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.Inbox;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
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

/** Notices as consumers see them, while the daemon is killed at random moments. */
@Timeout(180)
final class InboxTest {
  private static final long SEED = 20_261_116;
  private static final int KILLS = 4;
  private static final int BETWEEN_KILLS_MS_MAX = 600;
  private static final SessionId READ = new SessionId("read");
  private static final SessionId HOOKED = new SessionId("hooked");

  private final Set<String> spawned = ConcurrentHashMap.newKeySet();
  private final CountDownLatch enough = new CountDownLatch(1);

  /** The notices that were seen of each task. */
  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();

  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> cameAgain = ConcurrentHashMap.newKeySet();

  @Test
  void each_end_is_told_by_one_notice_and_never_again_once_it_is_acknowledged() throws Exception {
    var target = target();
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var url = "http://127.0.0.1:" + target.getAddress().getPort() + "/";
        client.inbox(HOOKED).setWebhook(url, "s3cret", true);
        var spawning = threads.submit(() -> spawn(client));
        var consuming = threads.submit(() -> consume(client.inbox(READ)));
        killAgainAndAgain(sandbox);
        enough.countDown();
        spawning.get();
        consuming.get();
        check(client);
      }
    } finally {
      target.stop(0);
    }
  }

  /** However slow the machine is, something is asked for between two kills. */
  private void killAgainAndAgain(Sandbox sandbox) throws IOException, InterruptedException {
    var random = new Random(SEED);
    for (var i = 0; i < KILLS; i++) {
      var before = spawned.size();
      await().atMost(Sandbox.PATIENCE).until(() -> spawned.size() > before + 1);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(BETWEEN_KILLS_MS_MAX));
      sandbox.killDaemon();
      sandbox.serve();
    }
  }

  private boolean spawn(ErrandClient client) throws InterruptedException {
    for (var i = 0; !enough.await(40, TimeUnit.MILLISECONDS); i++) {
      var session = i % 2 == 0 ? READ : HOOKED;
      var task = NewTask.shell("echo " + i).session(session.value());
      spawned.add(client.spawn(task, "key-" + i).value());
    }
    return true;
  }

  /** Handles what comes, and now and then forgets to say so, as one that is killed would. */
  private boolean consume(Inbox inbox) throws InterruptedException {
    var random = new Random(SEED);
    while (true) {
      var last = enough.await(0, TimeUnit.MILLISECONDS);
      var page = inbox.read(null, 20, Duration.ofSeconds(last ? 2 : 1));
      if (last && page.isEmpty()) {
        return true;
      }
      for (var notice : page) {
        saw(notice.text("task_id"), notice.text("id"));
        if (random.nextInt(4) > 0) {
          inbox.acknowledge(List.of(notice.text("id")));
          acknowledged.add(notice.text("id"));
        }
      }
    }
  }

  private void saw(String taskId, String noticeId) {
    seen.computeIfAbsent(taskId, _ -> ConcurrentHashMap.newKeySet()).add(noticeId);
    if (acknowledged.contains(noticeId)) {
      cameAgain.add(noticeId);
    }
  }

  private void check(ErrandClient client) {
    assertThat(spawned).hasSizeGreaterThan(KILLS);
    await().atMost(Duration.ofSeconds(30)).until(() -> seen.keySet().containsAll(spawned));
    assertThat(seen.keySet()).isEqualTo(spawned);
    assertThat(seen.values()).allSatisfy(ids -> assertThat(ids).hasSize(1));
    assertThat(cameAgain).isEmpty();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> client.inbox(HOOKED).read(null, 1, Duration.ZERO).isEmpty());
  }

  private HttpServer target() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.start();
    return server;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var notice = Json.read(exchange.getRequestBody().readAllBytes());
      saw(notice.path("task_id").stringValue(), notice.path("id").stringValue());
      exchange.sendResponseHeaders(204, -1);
    }
  }
}
