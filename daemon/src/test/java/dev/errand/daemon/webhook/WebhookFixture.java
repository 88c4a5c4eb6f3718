package dev.errand.daemon.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxFixture;
import dev.errand.daemon.inbox.InboxSignal;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * The webhook of one session, and a target that takes what it is posted or answers with an error.
 */
final class WebhookFixture implements AutoCloseable {
  static final SessionId SESSION = EngineFixture.SESSION;

  /** What the target took. */
  final List<JsonNode> events = new CopyOnWriteArrayList<>();

  final List<JsonNode> notices = new CopyOnWriteArrayList<>();
  final Inbox inbox;
  volatile int answer = 200;
  Webhooks webhooks;

  private final EngineFixture fixture;
  private final Path folder;
  private final HttpServer server;

  WebhookFixture(EngineFixture fixture, Path folder) throws IOException {
    this.fixture = fixture;
    this.folder = folder;
    var signal = new InboxSignal(fixture.clock);
    fixture.engine.subscribe(signal);
    inbox = new Inbox(fixture.engine, fixture.journal, signal, fixture.clock);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::receive);
    server.start();
    webhooks = open();
  }

  static Webhooks.Bodies bodies(EngineFixture fixture) {
    var tails = InboxFixture.tails(fixture);
    var events = new EventSource(fixture.journal, new JsonFrameCodec(), tails, fixture.clock);
    return new Webhooks.Bodies(InboxFixture.views(fixture), events);
  }

  private Webhooks open() {
    var sources =
        new Webhooks.Sources(
            fixture.engine, fixture.journal, inbox, bodies(fixture), _ -> true, fixture.clock);
    var config =
        new Config.Inbox(
            1_000, 16_384, Config.Webhooks.LOOPBACK, Duration.ofMinutes(1), Duration.ofHours(24));
    var opened = new Webhooks(sources, folder.resolve("secrets"), config, Duration.ofMillis(1));
    fixture.engine.subscribe(opened);
    return opened;
  }

  void set(boolean ack, WebhookEvent... wanted) throws InterruptedException {
    var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    webhooks.set(SESSION, new Webhooks.NewWebhook(url, null, ack, List.of(wanted)), "ann");
  }

  Target shown() {
    return webhooks.show(SESSION);
  }

  /** As the next daemon does, on the same journal. */
  void restart() {
    webhooks.close();
    webhooks = open();
    webhooks.start();
  }

  static void await(Callable<Boolean> claim) {
    Awaitility.await().pollDelay(Duration.ZERO).until(claim);
  }

  /** Lets a little time pass until it is so. */
  void eventually(Callable<Boolean> claim) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> {
          fixture.clock.advance(Duration.ofMillis(1));
          return claim.call();
        });
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var json = Json.read(exchange.getRequestBody().readAllBytes());
      var status = answer;
      if (status == 200) {
        var isEvent = exchange.getRequestHeaders().containsKey("Errand-Event-Id");
        (isEvent ? events : notices).add(json);
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  @Override
  public void close() {
    webhooks.close();
    server.stop(0);
  }
}
