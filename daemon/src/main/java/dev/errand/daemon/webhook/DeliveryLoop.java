package dev.errand.daemon.webhook;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxSignal;
import dev.errand.daemon.inbox.NoticeViews;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the notices of one session to its target, oldest first; the next one when the one before
 * was accepted, acknowledged, or is too old. It is stopped by a flag, since an interrupt could hit
 * a commit.
 */
final class DeliveryLoop {
  private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);

  static final String MEMO = "webhook";
  static final String NOTICE_ID = "Errand-Notice-Id";
  static final String SIGNATURE = "Errand-Signature";

  /** The interval of checks in case a signal was lost. */
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final SessionId sessionId;
  private final Parts parts;
  private final InboxSignal.Listener listener;
  private Target target;
  private final Signal ended = new Signal();
  private volatile boolean stopped;

  /** The attempt whose full wait has passed; used by the loop's thread only. */
  private Target.@Nullable Pending waitedFor;

  private @Nullable CompletableFuture<HttpResponse<Void>> underWay;
  private @Nullable Thread thread;

  /** What all delivery loops share. */
  record Parts(
      Engine engine,
      Inbox inbox,
      NoticeViews views,
      WebhookSecrets secrets,
      Sender sender,
      RetryPolicy retries,
      Time clock) {}

  DeliveryLoop(SessionId sessionId, Target target, Parts parts) {
    this.sessionId = sessionId;
    this.target = target;
    this.parts = parts;
    this.listener = parts.inbox().listen(sessionId);
  }

  void start() {
    thread = Thread.ofVirtual().name("webhook-" + sessionId.value()).start(this::run);
  }

  private void run() {
    try (listener) {
      while (!stopped) {
        try {
          goOn();
        } catch (ErrandException e) {
          // For example a full disk.
          log.warn("a notice of session {} is delayed: {}", sessionId, e.getMessage());
          parts.clock().sleep(RETRY_PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.error("no more notices of session {} are sent until the next start", sessionId, e);
    } finally {
      ended.raise();
    }
  }

  private void goOn() throws InterruptedException {
    var arrivals = listener.arrivals();
    var next = next();
    var wait = next == null ? LOOK_AGAIN : untilDue(next);
    if (next != null && !wait.isPositive()) {
      deliver(next);
    } else if (!stopped && !listener.awaitSince(arrivals, wait) && next != null) {
      waitedFor = target.pending();
    }
  }

  private @Nullable NoticeEntry next() throws InterruptedException {
    var after = new Cursor(target.delivered());
    var page = parts.inbox().read(new NoticeQuery(sessionId, after, false, 1));
    return page.isEmpty() ? null : page.getFirst();
  }

  /** At most one retry interval, and never the same wait twice, however the clock jumps. */
  private Duration untilDue(NoticeEntry next) {
    var pending = target.pending();
    if (pending == null
        || pending.equals(waitedFor)
        || !pending.noticeId().equals(next.notice().id())) {
      return Duration.ZERO;
    }
    var left = Duration.ofMillis(pending.nextAtMs() - parts.clock().millis());
    var longest = parts.retries().afterTry(pending.tries());
    return left.compareTo(longest) > 0 ? longest : left;
  }

  private void deliver(NoticeEntry next) throws InterruptedException {
    var notice = next.notice();
    var number = target.triesOf(notice.id()) + 1;
    var began = parts.clock().millis();
    if (number > 1 && began - notice.atMs() > parts.retries().ageMax().toMillis()) {
      var given = new Target.Try(notice.id(), number, began, 0, "given_up", null, "too old");
      record(target.doneWith(next.cursor().text(), given), List.of());
      return;
    }
    var answer = send(next);
    if (stopped) {
      return; // The result does not matter: another target is set, or it is sent again.
    }
    var took = Math.max(0, parts.clock().millis() - began);
    var outcome = answer.accepted() ? "delivered" : "failed";
    var tried =
        new Target.Try(notice.id(), number, began, took, outcome, answer.status(), answer.error());
    if (answer.accepted()) {
      var acknowledged = target.setting().ack() ? List.of(notice.id()) : List.<String>of();
      record(target.doneWith(next.cursor().text(), tried), acknowledged);
    } else {
      var due = parts.clock().millis() + parts.retries().afterTry(number).toMillis();
      record(target.tryAgain(tried, due), List.of());
    }
  }

  private Sender.Answer send(NoticeEntry next) throws InterruptedException {
    try {
      var body = parts.views().bytes(next);
      var post = parts.sender().post(new URI(target.setting().url()), headers(next, body), body);
      synchronized (this) {
        underWay = post;
      }
      if (stopped) {
        post.cancel(true);
      }
      return parts.sender().await(post);
    } catch (IOException | URISyntaxException | RuntimeException e) {
      log.warn("a notice of session {} could not be sent", sessionId, e);
      return new Sender.Answer(null, "it could not be sent: " + e.getClass().getSimpleName());
    }
  }

  private Map<String, String> headers(NoticeEntry next, byte[] body) throws IOException {
    var headers = new TreeMap<String, String>();
    headers.put("Content-Type", "application/json");
    headers.put("User-Agent", "errand");
    headers.put(NOTICE_ID, next.notice().id());
    var secret = parts.secrets().get(target.setting().secret());
    headers.put(SIGNATURE, Signature.of(secret, parts.clock().millis() / 1_000, body));
    return headers;
  }

  /** Commits the state of the delivery before the next step. */
  private void record(Target moved, List<String> acknowledged) {
    var events =
        acknowledged.isEmpty() ? List.<SessionEvent>of() : Inbox.events(acknowledged, MEMO);
    parts
        .engine()
        .record(
            sessionId,
            events,
            batch -> {
              batch.memo(new Memo(sessionId, MEMO, TargetJson.encode(moved)));
              if (!acknowledged.isEmpty()) {
                var at = parts.clock().millis();
                batch.inbox(new InboxChange.Acknowledged(sessionId, acknowledged, at));
              }
            });
    target = moved;
  }

  /** Returns when nothing more is recorded for this target; waits for a limited time. */
  void stop() throws InterruptedException {
    stopped = true;
    synchronized (this) {
      if (underWay != null) {
        underWay.cancel(true);
      }
    }
    listener.wake();
    if (thread != null && thread.isAlive()) {
      var _ = parts.clock().await(ended, STOP_MAX);
    }
  }
}
