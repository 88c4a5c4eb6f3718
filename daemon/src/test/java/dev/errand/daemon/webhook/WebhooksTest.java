package dev.errand.daemon.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxSignal;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deliveries to real targets, some of which are not well. */
final class WebhooksTest {
  private static final SessionId SESSION = EngineFixture.SESSION;

  @TempDir Path folder;
  private final EngineFixture fixture = new EngineFixture();
  private final InboxSignal signal = new InboxSignal(fixture.clock);
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();
  private volatile ToIntFunction<Received> answer = _ -> 204;
  private HttpServer server;
  private Webhooks webhooks;

  @SuppressWarnings("ArrayRecordComponent") // Looked at, never compared.
  private record Received(
      String noticeId, String sessionId, String taskId, String signature, byte[] body) {}

  @BeforeEach
  void start() throws IOException {
    fixture.engine.subscribe(signal);
    server = serving(0);
    webhooks = open(fixture.engine);
  }

  @AfterEach
  void stop() {
    hanging.countDown();
    webhooks.close();
    server.stop(0);
  }

  /** Lets time pass until it is so, more slowly than it does for the requests under way. */
  private void eventually(Callable<Boolean> claim) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> {
          fixture.clock.advance(Duration.ofMillis(1));
          return claim.call();
        });
  }

  @Test
  void notices_arrive_in_order_signed_and_stay_unread() throws Exception {
    fixture.ended();
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), "s3cret", false), "ann");
    var first = fixture.ended();
    var second = fixture.ended();

    eventually(() -> received.size() == 2);
    assertThat(received)
        .extracting(Received::taskId)
        .containsExactly(first.value(), second.value());
    var delivery = received.getFirst();
    var seconds = Long.parseLong(delivery.signature().replaceAll("t=(\\d+),.*", "$1"));
    assertThat(delivery.signature())
        .isEqualTo(Signature.of("s3cret".getBytes(UTF_8), seconds, delivery.body()));
    assertThat(unread()).isEqualTo(3);
    eventually(() -> webhooks.show(SESSION).tries().size() == 2);
  }

  @Test
  void a_secret_that_was_not_given_is_made_and_shown_once() throws Exception {
    var set = webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    var secret = Objects.requireNonNull(set.madeSecret());
    fixture.ended();

    eventually(() -> received.size() == 1);
    var delivery = received.getFirst();
    var seconds = Long.parseLong(delivery.signature().replaceAll("t=(\\d+),.*", "$1"));
    assertThat(secret).hasSizeGreaterThan(40);
    assertThat(delivery.signature())
        .isEqualTo(Signature.of(secret.getBytes(UTF_8), seconds, delivery.body()));
    var given = webhooks.set(SESSION, new Webhooks.NewWebhook(url(), "s3cret", false), "ann");
    assertThat(given.madeSecret()).isNull();
  }

  @Test
  void a_webhook_that_cannot_be_set_or_removed_stays_as_it_was() throws Exception {
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), "s3cret", false), "ann");
    fixture.journal.beforeCommit(_ -> {
      throw new ErrandException(ErrorCode.INSUFFICIENT_STORAGE, "the disk is full");
    });
    assertThatThrownBy(() ->
            webhooks.set(SESSION, new Webhooks.NewWebhook(url() + "other", "new", true), "bob"))
        .hasMessage("the disk is full; the webhook is unchanged");
    assertThatThrownBy(() -> webhooks.remove(SESSION, "bob"))
        .hasMessage("the disk is full; the webhook is unchanged");
    fixture.journal.beforeCommit(_ -> {});
    fixture.ended();

    eventually(() -> outcomes().contains("delivered"));
    var delivery = received.getFirst();
    var seconds = Long.parseLong(delivery.signature().replaceAll("t=(\\d+),.*", "$1"));
    assertThat(delivery.signature())
        .isEqualTo(Signature.of("s3cret".getBytes(UTF_8), seconds, delivery.body()));
    assertThat(webhooks.show(SESSION).setting().setBy()).isEqualTo("ann");
    assertThat(folder.resolve("secrets").toFile().list()).hasSize(1);
  }

  @Test
  void a_webhook_goes_with_the_token_that_set_it() throws Exception {
    var other = new SessionId("s2");
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ci");
    webhooks.set(other, new Webhooks.NewWebhook(url(), null, true), "ann");
    revoked.add("ci");
    webhooks.removeForeign("ann");
    fixture.ended();
    endedIn(other);

    eventually(() -> unread(other) == 0);
    assertThat(received).extracting(Received::sessionId).containsExactly(other.value());
    assertThatThrownBy(() -> webhooks.show(SESSION)).hasMessageContaining("has no webhook");
    assertThatThrownBy(
            () -> webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ci"))
        .hasMessageContaining("revoked");
    assertThat(frames()).contains("webhook_removed", "its token ci was revoked");
    assertThat(folder.resolve("secrets").toFile().list()).hasSize(1);
  }

  @Test
  void a_daemon_that_was_killed_before_it_could_remove_one_removes_it_at_its_start()
      throws Exception {
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ci");
    webhooks.close();
    revoked.add("ci");
    Files.writeString(folder.resolve("secrets").resolve("left"), "x");

    webhooks = open(fixture.open());
    webhooks.start();

    assertThatThrownBy(() -> webhooks.show(SESSION)).hasMessageContaining("has no webhook");
    assertThat(folder.resolve("secrets")).isEmptyDirectory();
  }

  @Test
  void of_an_address_only_the_machine_is_shown() throws Exception {
    webhooks.set(
        SESSION, new Webhooks.NewWebhook(url() + "T0/B0/key?token=abc", null, false), "ann");

    assertThat(webhooks.show(SESSION).setting().shownUrl()).isEqualTo(url() + "…");
    assertThat(frames()).contains(url() + "…").doesNotContain("T0", "abc");
  }

  @Test
  void a_signature_can_be_checked_by_others() {
    assertThat(Signature.of("key".getBytes(UTF_8), 1_700_000_000, "{}".getBytes(UTF_8)))
        .isEqualTo(
            "t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae");
  }

  @Test
  void success_acknowledges_where_that_was_asked_for() throws Exception {
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, true), "ann");
    fixture.ended();

    eventually(() -> unread() == 0);
    assertThat(received).hasSize(1);
  }

  @Test
  void a_target_that_answers_500_gets_the_same_notice_again_before_any_other() throws Exception {
    answer = _ -> received.size() < 3 ? 500 : 200;
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    var first = fixture.ended();
    var second = fixture.ended();

    eventually(() -> received.size() == 4);
    assertThat(received)
        .extracting(Received::taskId)
        .containsExactly(first.value(), first.value(), first.value(), second.value());
    assertThat(received.subList(0, 3))
        .extracting(Received::noticeId)
        .containsOnly(received.getFirst().noticeId());
    eventually(() -> outcomes().equals(List.of("delivered", "delivered", "failed", "failed")));
  }

  @Test
  void a_target_that_is_down_gets_all_when_it_is_back() throws Exception {
    var port = server.getAddress().getPort();
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    server.stop(0);
    var first = fixture.ended();
    eventually(() -> outcomes().contains("failed"));
    assertThat(webhooks.show(SESSION).pending()).isNotNull();

    server = serving(port);
    eventually(() -> received.size() == 1);
    assertThat(received.getFirst().taskId()).isEqualTo(first.value());
  }

  @Test
  void a_target_that_never_answers_holds_up_nobody_else() throws Exception {
    var other = new SessionId("s2");
    answer = it -> it.sessionId().equals(other.value()) ? 200 : never();
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    webhooks.set(other, new Webhooks.NewWebhook(url(), null, true), "ann");
    fixture.ended();
    eventually(() -> received.size() == 1);
    var quick = endedIn(other);

    eventually(() -> unread(other) == 0);
    assertThat(received).extracting(Received::taskId).contains(quick.value());
    eventually(() -> outcomes().contains("failed"));
  }

  @Test
  void a_new_daemon_goes_on_where_the_old_one_stopped() throws Exception {
    answer = _ -> 503;
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), "s3cret", false), "ann");
    var taskId = fixture.ended();
    eventually(() -> outcomes().contains("failed"));
    webhooks.close();
    var tried = received.size();
    answer = _ -> 200;
    var engine = fixture.open();
    engine.subscribe(signal);

    webhooks = open(engine);
    webhooks.start();

    eventually(() -> outcomes().contains("delivered"));
    assertThat(received.subList(tried, received.size()))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.taskId()).isEqualTo(taskId.value());
          assertThat(it.noticeId()).isEqualTo(received.getFirst().noticeId());
          assertThat(it.signature()).startsWith("t=");
        });
  }

  @Test
  void a_notice_that_is_too_old_is_given_up_and_the_next_one_tried() throws Exception {
    answer = _ -> 500;
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    var first = fixture.ended();
    eventually(() -> !received.isEmpty());
    answer = it -> it.taskId().equals(first.value()) ? 500 : 200;
    fixture.clock.advance(Duration.ofHours(25));
    var next = fixture.ended();

    eventually(() -> received.getLast().taskId().equals(next.value()));
    assertThat(outcomes()).contains("given_up");
    assertThat(unread()).isEqualTo(2);
  }

  @Test
  void a_removed_webhook_sends_nothing_any_more() throws Exception {
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), "s3cret", false), "ann");
    assertThat(webhooks.remove(SESSION, "ann")).isTrue();
    assertThat(webhooks.remove(SESSION, "ann")).isFalse();
    fixture.ended();

    assertThat(received).isEmpty();
    assertThat(folder.resolve("secrets")).isEmptyDirectory();
  }

  @Test
  void a_redirect_is_not_followed() throws Exception {
    answer = _ -> 307;
    webhooks.set(SESSION, new Webhooks.NewWebhook(url(), null, false), "ann");
    fixture.ended();

    eventually(() -> outcomes().contains("failed"));
  }

  @Test
  void waits_double_up_to_an_hour() {
    var retries = new RetryPolicy(Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofHours(24));

    assertThat(retries.afterTry(1)).isEqualTo(Duration.ofSeconds(1));
    assertThat(retries.afterTry(4)).isEqualTo(Duration.ofSeconds(8));
    assertThat(retries.afterTry(1_000)).isEqualTo(Duration.ofHours(1));
  }

  private Webhooks open(Engine engine) {
    var sources =
        new Webhooks.Sources(
            engine,
            fixture.journal,
            inbox(engine),
            WebhookFixture.bodies(fixture),
            it -> !revoked.contains(it),
            fixture.clock);
    var config =
        new Config.Inbox(
            1_000, 16_384, Config.Webhooks.LOOPBACK, Duration.ofMillis(500), Duration.ofHours(24));
    return new Webhooks(sources, folder.resolve("secrets"), config, Duration.ofMillis(1));
  }

  private Inbox inbox(Engine engine) {
    return new Inbox(engine, fixture.journal, signal, fixture.clock);
  }

  private HttpServer serving(int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    var opened = HttpServer.create(address, 0);
    opened.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    opened.createContext("/", this::receive);
    opened.start();
    return opened;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var headers = exchange.getRequestHeaders();
      var json = Json.read(body);
      var delivery =
          new Received(
              text(headers.getFirst("Errand-Notice-Id")),
              json.path("session_id").stringValue(""),
              json.path("task_id").stringValue(""),
              text(headers.getFirst("Errand-Signature")),
              body);
      received.add(delivery);
      exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/");
      exchange.sendResponseHeaders(answer.applyAsInt(delivery), -1);
    }
  }

  private static String text(@Nullable String header) {
    return header == null ? "" : header;
  }

  private int never() {
    try {
      hanging.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 500;
  }

  private TaskId endedIn(SessionId sessionId) {
    var spec = EngineFixture.spec();
    var origin = new TaskSpec.Origin(sessionId, "tester", null, null, null);
    var moved = new TaskSpec(origin, spec.work());
    var taskId = fixture.ids.nextTask();
    fixture.engine.submit(taskId, new TaskCommand.Spawn(moved, null), null).orThrow();
    fixture.engine.submit(taskId, EngineFixture.cancel(), null).orThrow();
    return taskId;
  }

  private String frames() {
    var text = new StringBuilder();
    fixture
        .journal
        .read(StreamKey.of(SESSION), -1, 100)
        .forEach(it -> text.append(new String(it.bytes(), UTF_8)));
    return text.toString();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Of the tries, newest first. */
  private List<String> outcomes() {
    return webhooks.show(SESSION).tries().reversed().stream().map(it -> it.outcome()).toList();
  }

  private long unread() {
    return unread(SESSION);
  }

  private long unread(SessionId sessionId) {
    return fixture.journal.unacknowledged(sessionId);
  }
}
