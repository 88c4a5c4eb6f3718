package dev.errand.daemon.webhook;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets, shows and removes the webhooks of sessions, and runs their delivery loops. */
public final class Webhooks implements CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

  /** Each has its own delivery loop; above this limit a new one is refused. */
  private static final int TARGETS_MAX = 1_000;

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final Engine engine;
  private final Journal journal;
  private final Config.Inbox config;
  private final Predicate<String> mayAsk;
  private final Sender sender;
  private final WebhookSecrets secrets;
  private final DeliveryLoop.Parts parts;
  private final Map<SessionId, DeliveryLoop> loops = new ConcurrentHashMap<>();

  /** What deliveries need, and whether the token that set a webhook is still valid. */
  public record Sources(
      Engine engine,
      Journal journal,
      Inbox inbox,
      Bodies bodies,
      Predicate<String> mayAsk,
      Time clock) {}

  /** What is posted. */
  public record Bodies(NoticeViews notices, EventSource events) {}

  /** A request for a webhook; without a secret one is created. The secret is never recorded. */
  public record NewWebhook(
      String url, @Nullable String secret, boolean ack, List<WebhookEvent> events) {

    /** Of notices alone. */
    public NewWebhook(String url, @Nullable String secret, boolean ack) {
      this(url, secret, ack, List.of());
    }

    @Override
    public String toString() {
      return "NewWebhook[ack=" + ack + "]";
    }
  }

  /**
   * A webhook that was set.
   *
   * @param madeSecret the secret that was made, which nothing shows again; null where one was given
   */
  public record WasSet(Target target, @Nullable String madeSecret) {
    /** Without the secret. */
    @Override
    public String toString() {
      return "WasSet[" + target.setting() + "]";
    }
  }

  /** The folder holds the secrets. */
  public Webhooks(Sources sources, Path folder, Config.Inbox config) {
    this(sources, folder, config, FIRST_WAIT);
  }

  Webhooks(Sources sources, Path folder, Config.Inbox config, Duration firstWait) {
    this.engine = sources.engine();
    this.journal = sources.journal();
    this.config = config;
    this.mayAsk = sources.mayAsk();
    this.sender = new Sender(config.webhookTimeout(), sources.clock());
    this.secrets = new WebhookSecrets(folder);
    this.parts =
        new DeliveryLoop.Parts(
            engine,
            sources.inbox(),
            sources.bodies(),
            secrets,
            sender,
            new RetryPolicy(firstWait, LONGEST_WAIT, config.webhookAge()),
            sources.clock());
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  /** Wakes the loop of a session whose webhook asks for events of its tasks. */
  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (after.state() instanceof TaskState.Present it) {
      var loop = loops.get(it.facts().spec().origin().sessionId());
      if (loop != null && loop.wantsEvents()) {
        loop.wake();
      }
    }
  }

  /** Continues the deliveries of the last daemon. */
  public synchronized void start() {
    var targets = targets();
    secrets.removeAllBut(
        targets.values().stream().map(it -> it.setting().secret()).collect(Collectors.toSet()));
    if (config.webhooks() != Config.Webhooks.OFF) {
      targets.forEach(this::goOn);
    }
    removeForeign("daemon");
  }

  private Map<SessionId, Target> targets() {
    var targets = new TreeMap<SessionId, Target>(Comparator.comparing(SessionId::value));
    for (var memo : journal.memos(DeliveryLoop.MEMO)) {
      var value = memo.value();
      if (value != null) {
        targets.put(memo.sessionId(), TargetJson.decode(value));
      }
    }
    return targets;
  }

  /** A webhook may no longer be allowed by the settings. */
  private void goOn(SessionId sessionId, Target target) {
    try {
      var _ = Addresses.checked(target.setting().url(), config.webhooks());
      if (mayAsk.test(target.setting().setBy())) {
        begin(sessionId, target);
      }
    } catch (ErrandException e) {
      log.warn("the webhook of session {} is suspended: {}", sessionId, e.getMessage());
    }
  }

  /**
   * Removes webhooks that were set with a revoked token. If the removal cannot be recorded, the
   * webhook is suspended and removed at the next start.
   */
  public synchronized void removeForeign(String by) {
    targets()
        .forEach((sessionId, target) -> {
          var setBy = target.setting().setBy();
          if (!mayAsk.test(setBy)) {
            try {
              end(sessionId);
              forget(sessionId, target, new SessionEvent.WebhookRemoved(revoked(setBy), by));
            } catch (ErrandException e) {
              log.warn(
                  "the webhook of session {} is suspended: its token was revoked", sessionId, e);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  private static String revoked(String token) {
    return "its token " + token + " was revoked";
  }

  /**
   * Sends what arrives from now on; what was set before is replaced, or stays as it was where this
   * fails.
   */
  public synchronized WasSet set(SessionId sessionId, NewWebhook wanted, String by)
      throws InterruptedException {
    var uri = Addresses.checked(wanted.url(), config.webhooks());
    check(sessionId, by);
    var given = wanted.secret();
    var secret = given == null ? WebhookSecrets.fresh() : given;
    var name = secrets.put(secret);
    var setting =
        new Target.Setting(
            uri.toString(), name, wanted.ack(), parts.clock().millis(), by, wanted.events());
    var old = find(sessionId);
    var target =
        new Target(setting, journal.lastNotice().text(), journal.head().text(), null, List.of());
    var words = wanted.events().stream().map(WebhookEvent::word).toList();
    var event = new SessionEvent.WebhookSet(setting.shownUrl(), wanted.ack(), words, by);
    var memo = new Memo(sessionId, DeliveryLoop.MEMO, TargetJson.encode(target));
    try {
      replace(sessionId, old, event, memo);
    } catch (RuntimeException | InterruptedException e) {
      secrets.remove(name);
      throw e;
    }
    begin(sessionId, target);
    old.ifPresent(it -> secrets.remove(it.setting().secret()));
    return new WasSet(target, given == null ? secret : null);
  }

  private void check(SessionId sessionId, String by) {
    if (!mayAsk.test(by)) {
      throw new ErrandException(ErrorCode.UNAUTHENTICATED, "this token was revoked");
    }
    if (!loops.containsKey(sessionId) && loops.size() >= TARGETS_MAX) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          "the limit of " + TARGETS_MAX + " webhooks is reached; remove one first");
    }
  }

  /** On failure the earlier webhook continues. */
  private void replace(SessionId sessionId, Optional<Target> old, SessionEvent event, Memo memo)
      throws InterruptedException {
    end(sessionId);
    try {
      engine.record(sessionId, List.of(event), batch -> batch.memo(memo));
    } catch (ErrandException e) {
      old.ifPresent(_ -> find(sessionId).ifPresent(it -> goOn(sessionId, it)));
      throw new ErrandException(e.code(), e.getMessage() + "; the webhook is unchanged", e);
    }
  }

  /** Where they go, and how far they got; refused where there is no webhook. */
  public Target show(SessionId sessionId) {
    return find(sessionId)
        .map(it -> it.at(parts.clock().millis()))
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.NOT_FOUND, "session " + sessionId.value() + " has no webhook"));
  }

  /** Returns whether there was one; on failure it continues. */
  public synchronized boolean remove(SessionId sessionId, String by) throws InterruptedException {
    var old = find(sessionId);
    if (old.isEmpty()) {
      return false;
    }
    var memo = new Memo(sessionId, DeliveryLoop.MEMO, null);
    replace(sessionId, old, new SessionEvent.WebhookRemoved(null, by), memo);
    secrets.remove(old.get().setting().secret());
    return true;
  }

  private void forget(SessionId sessionId, Target target, SessionEvent event) {
    var memo = new Memo(sessionId, DeliveryLoop.MEMO, null);
    engine.record(sessionId, List.of(event), batch -> batch.memo(memo));
    secrets.remove(target.setting().secret());
  }

  private Optional<Target> find(SessionId sessionId) {
    var memo = journal.memo(sessionId, DeliveryLoop.MEMO).orElse(null);
    var value = memo == null ? null : memo.value();
    return value == null ? Optional.empty() : Optional.of(TargetJson.decode(value));
  }

  private void begin(SessionId sessionId, Target target) {
    var loop = new DeliveryLoop(sessionId, target, parts);
    loops.put(sessionId, loop);
    loop.start();
  }

  private void end(SessionId sessionId) throws InterruptedException {
    var loop = loops.remove(sessionId);
    if (loop != null) {
      loop.stop();
    }
  }

  @Override
  public synchronized void close() {
    try {
      for (var sessionId : List.copyOf(loops.keySet())) {
        end(sessionId);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.close();
  }
}
