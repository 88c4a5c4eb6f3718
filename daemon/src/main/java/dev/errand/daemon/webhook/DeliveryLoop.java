package dev.errand.daemon.webhook;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxSignal;
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
 * Sends the notices of one session to its target, and the events that this asks for, oldest first;
 * the next one when the one before was accepted or is too old. What a session has read or
 * acknowledged meanwhile makes no difference: the loop goes on from its own cursors. It is stopped
 * by a flag, since an interrupt could hit a commit.
 */
final class DeliveryLoop {
  private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);

  static final String MEMO = "webhook";
  static final String SIGNATURE = "Errand-Signature";

  /** The interval of checks in case a signal was lost. */
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final SessionId sessionId;
  private final Parts parts;
  private final InboxSignal.Listener listener;
  private final EventFeed events;
  private final boolean wantsEvents;
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
      Webhooks.Bodies bodies,
      WebhookSecrets secrets,
      Sender sender,
      RetryPolicy retries,
      Time clock) {}

  DeliveryLoop(SessionId sessionId, Target target, Parts parts) {
    this.sessionId = sessionId;
    this.target = target;
    this.wantsEvents = !target.setting().events().isEmpty();
    this.parts = parts;
    this.listener = parts.inbox().listen(sessionId);
    this.events =
        parts
            .bodies()
            .events()
            .open(sessionId, target.setting().events(), new Cursor(target.seen()));
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
    if (next == null) {
      nothingToPost();
    }
    var wait = next == null ? untilMore() : untilDue(next);
    if (next != null && !wait.isPositive()) {
      deliver(next);
    } else if (!stopped && !listener.awaitSince(arrivals, wait) && next != null) {
      waitedFor = target.pending();
    }
  }

  /**
   * The older of the next notice and the next event; an event that has to wait delays no notice.
   */
  private @Nullable Posting next() {
    var notice = nextNotice();
    var event = events.first();
    if (event == null) {
      return notice;
    }
    var noticeFirst =
        notice != null && (notice.atMs() < event.atMs() || events.untilDue(event).isPositive());
    return noticeFirst ? notice : event;
  }

  private @Nullable Posting nextNotice() {
    while (true) {
      var after = new Cursor(target.delivered());
      var page = parts.inbox().read(new NoticeQuery(sessionId, after, true, 1));
      if (page.isEmpty()) {
        return null;
      }
      var entry = page.getFirst();
      if (!parts.bodies().notices().isAnswered(entry)) {
        return new Posting.OfNotice(entry);
      }
      target = target.past(entry.cursor());
    }
  }

  /** What failed may be gone, merged into a later notice or removed with its task. */
  private void nothingToPost() {
    var unsaved = events.unsaved();
    if (unsaved != null) {
      record(target.idle().seen(unsaved), List.of());
      events.saved();
    } else if (target.pending() != null) {
      record(target.idle(), List.of());
    }
  }

  private Duration untilMore() {
    return events.isBehind() ? Duration.ZERO : LOOK_AGAIN;
  }

  private Duration untilDue(Posting next) {
    var retry = untilRetry();
    return next instanceof Posting.OfEvent event && !retry.isPositive()
        ? events.untilDue(event)
        : retry;
  }

  /** At most one retry interval, and never the same wait twice, however the clock jumps. */
  private Duration untilRetry() {
    var pending = target.pending();
    if (pending == null || pending.equals(waitedFor)) {
      return Duration.ZERO;
    }
    var left = Duration.ofMillis(pending.nextAtMs() - parts.clock().millis());
    var longest = parts.retries().afterTry(pending.tries());
    return left.compareTo(longest) > 0 ? longest : left;
  }

  private void deliver(Posting next) throws InterruptedException {
    var number = target.failures() + 1;
    var began = parts.clock().millis();
    if (number > 1 && began - next.atMs() > parts.retries().ageMax().toMillis()) {
      var given = new Target.Try(next.id(), number, began, 0, Target.Try.GIVEN_UP, null, "too old");
      done(next, given, List.of());
      return;
    }
    var answer = send(next);
    if (stopped) {
      return; // The result does not matter: another target is set, or it is sent again.
    }
    var took = Math.max(0, parts.clock().millis() - began);
    var outcome = answer.accepted() ? Target.Try.DELIVERED : Target.Try.FAILED;
    var tried =
        new Target.Try(next.id(), number, began, took, outcome, answer.status(), answer.error());
    if (answer.accepted()) {
      done(next, tried, acknowledged(next));
    } else {
      var due = parts.clock().millis() + parts.retries().afterTry(number).toMillis();
      record(target.tryAgain(tried, due), List.of());
    }
  }

  /** The notice that a success acknowledges, unless somebody has taken note before. */
  private List<String> acknowledged(Posting posting) {
    return posting instanceof Posting.OfNotice && target.setting().ack()
        ? parts.inbox().unacknowledged(sessionId, List.of(posting.id()))
        : List.of();
  }

  private void done(Posting posting, Target.Try last, List<String> acknowledged) {
    record(target.doneWith(posting, last), acknowledged);
    if (posting instanceof Posting.OfEvent event) {
      events.done(event);
    }
  }

  private Sender.Answer send(Posting next) throws InterruptedException {
    try {
      var body = body(next);
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

  private byte[] body(Posting next) {
    return switch (next) {
      case Posting.OfNotice(var entry) -> parts.bodies().notices().bytes(entry);
      case Posting.OfEvent it -> parts.bodies().events().bytes(it);
    };
  }

  private Map<String, String> headers(Posting next, byte[] body) throws IOException {
    var headers = new TreeMap<String, String>();
    headers.put("Content-Type", "application/json");
    headers.put("User-Agent", "errand");
    headers.put(next.idHeader(), next.id());
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

  /** Whether it sends more than notices. */
  boolean wantsEvents() {
    return wantsEvents;
  }

  /** Lets it look for what to send. */
  void wake() {
    listener.wake();
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
