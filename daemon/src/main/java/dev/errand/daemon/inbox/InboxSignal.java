package dev.errand.daemon.inbox;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Wakes threads that wait for notices of a session. */
public final class InboxSignal implements CommitListener {
  private final Time clock;
  private final ConcurrentHashMap<SessionId, Subscription> subscriptions =
      new ConcurrentHashMap<>();

  private static final class Subscription {
    private final Ticker arrivals;

    /** Changed only inside the map's update function for this session. */
    private int users;

    private Subscription(Time clock) {
      arrivals = new Ticker(clock);
    }
  }

  public InboxSignal(Time clock) {
    this.clock = clock;
  }

  /** Subscribes to the arrivals of a session from now on. */
  public Listener listen(SessionId sessionId) {
    var subscription =
        subscriptions.compute(
            sessionId,
            (_, old) -> {
              var used = old == null ? new Subscription(clock) : old;
              used.users++;
              return used;
            });
    return new Listener(sessionId, subscription);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    notices.forEach(it -> raise(it.subject().sessionId()));
  }

  private void raise(SessionId sessionId) {
    var subscription = subscriptions.get(sessionId);
    if (subscription != null) {
      subscription.arrivals.tick();
    }
  }

  /** One waiting thread. */
  public final class Listener implements AutoCloseable {
    private final SessionId sessionId;
    private final Subscription subscription;
    private boolean closed;

    private Listener(SessionId sessionId, Subscription subscription) {
      this.sessionId = sessionId;
      this.subscription = subscription;
    }

    /** Must be read before the inbox, so that no arrival is missed. */
    public long arrivals() {
      return subscription.arrivals.count();
    }

    /** Waits for an arrival after that count; false on timeout. */
    public boolean awaitSince(long arrivals, Duration timeout) throws InterruptedException {
      return subscription.arrivals.awaitSince(arrivals, timeout);
    }

    /** Wakes all threads that wait for this inbox, so that they check whether to stop. */
    public void wake() {
      subscription.arrivals.tick();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        subscriptions.computeIfPresent(sessionId, (_, it) -> --it.users == 0 ? null : it);
      }
    }
  }
}
