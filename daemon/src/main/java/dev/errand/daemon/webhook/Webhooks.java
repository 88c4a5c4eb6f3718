package dev.errand.daemon.webhook;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The webhooks of all sessions: set, shown and removed, and their couriers. */
public final class Webhooks implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

  /** Each has a courier of its own; beyond this many a new one is refused. */
  private static final int TARGETS_MAX = 1_000;

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final Engine engine;
  private final Journal journal;
  private final Config.Inbox config;
  private final Sender sender;
  private final Secrets secrets;
  private final Courier.Parts parts;
  private final Map<SessionId, Courier> couriers = new HashMap<>();

  /** What deliveries are made of. */
  public record Sources(
      Engine engine, Journal journal, Inbox inbox, NoticeViews views, InstantSource clock) {}

  /** What someone asks for; the secret is in no record of it. */
  public record Wish(String url, @Nullable String secret, boolean ack) {
    @Override
    public String toString() {
      return "Wish[ack=" + ack + "]";
    }
  }

  /** The folder holds the secrets, a file for each session. */
  public Webhooks(Sources sources, Path folder, Config.Inbox config) {
    this(sources, folder, config, FIRST_WAIT);
  }

  Webhooks(Sources sources, Path folder, Config.Inbox config, Duration firstWait) {
    this.engine = sources.engine();
    this.journal = sources.journal();
    this.config = config;
    this.sender = new Sender(config.webhookTimeout());
    this.secrets = new Secrets(folder);
    this.parts =
        new Courier.Parts(
            engine,
            sources.inbox(),
            sources.views(),
            secrets,
            sender,
            new Patience(firstWait, LONGEST_WAIT, config.webhookAge()),
            sources.clock());
  }

  /** Goes on where the last daemon stopped. */
  public synchronized void start() {
    if (config.webhooks() == Config.Webhooks.OFF) {
      return;
    }
    for (var memo : journal.memos(Courier.MEMO)) {
      var value = memo.value();
      if (value != null) {
        goOn(memo.sessionId(), TargetJson.decode(value));
      }
    }
  }

  /** What was allowed when it was set may not be allowed any more. */
  private void goOn(SessionId sessionId, Target target) {
    try {
      var _ = Addresses.checked(target.setting().url(), config.webhooks());
      begin(sessionId, target);
    } catch (ErrandException e) {
      log.warn("the webhook of session {} rests: {}", sessionId, e.getMessage());
    }
  }

  /** Sends what arrives from now on; what was set before is replaced. */
  public synchronized ObjectNode set(SessionId sessionId, Wish wish, String by)
      throws InterruptedException {
    var uri = Addresses.checked(wish.url(), config.webhooks());
    if (!couriers.containsKey(sessionId) && couriers.size() >= TARGETS_MAX) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED, "as many sessions as may (" + TARGETS_MAX + ") have a webhook");
    }
    end(sessionId);
    var secret = wish.secret();
    if (secret == null) {
      secrets.remove(sessionId);
    } else {
      secrets.put(sessionId, secret);
    }
    var setting =
        new Target.Setting(uri.toString(), secret != null, wish.ack(), parts.clock().millis(), by);
    var target = new Target(setting, journal.lastNotice().text(), null, List.of());
    engine.record(
        sessionId,
        List.of(new SessionEvent.WebhookSet(setting.shownUrl(), wish.ack(), by)),
        batch -> batch.memo(new Memo(sessionId, Courier.MEMO, TargetJson.encode(target))));
    begin(sessionId, target);
    return TargetJson.shown(target);
  }

  public ObjectNode show(SessionId sessionId) {
    return TargetJson.shown(existing(sessionId));
  }

  /** The last tries, newest first. */
  public List<byte[]> tries(SessionId sessionId) {
    return TargetJson.tries(existing(sessionId));
  }

  /** Whether there was one. */
  public synchronized boolean remove(SessionId sessionId, String by) throws InterruptedException {
    end(sessionId);
    secrets.remove(sessionId);
    if (journal.memo(sessionId, Courier.MEMO).isEmpty()) {
      return false;
    }
    engine.record(
        sessionId,
        List.of(new SessionEvent.WebhookRemoved(by)),
        batch -> batch.memo(new Memo(sessionId, Courier.MEMO, null)));
    return true;
  }

  private Target existing(SessionId sessionId) {
    var memo = journal.memo(sessionId, Courier.MEMO).orElse(null);
    var value = memo == null ? null : memo.value();
    if (value == null) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND, "session " + sessionId.value() + " has no webhook");
    }
    return TargetJson.decode(value);
  }

  private void begin(SessionId sessionId, Target target) {
    var courier = new Courier(sessionId, target, parts);
    couriers.put(sessionId, courier);
    courier.start();
  }

  private void end(SessionId sessionId) throws InterruptedException {
    var courier = couriers.remove(sessionId);
    if (courier != null) {
      courier.stop();
    }
  }

  @Override
  public synchronized void close() {
    try {
      for (var sessionId : List.copyOf(couriers.keySet())) {
        end(sessionId);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.close();
  }
}
