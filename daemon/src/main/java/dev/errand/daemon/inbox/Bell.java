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

/** Wakes those who wait at a session's inbox. */
public final class Bell implements CommitListener {
  private final Time clock;
  private final ConcurrentHashMap<SessionId, Rope> ropes = new ConcurrentHashMap<>();

  private static final class Rope {
    private final Ticker arrivals;

    /** Changed only inside the map's own update of this session. */
    private int users;

    private Rope(Time clock) {
      arrivals = new Ticker(clock);
    }
  }

  public Bell(Time clock) {
    this.clock = clock;
  }

  /** Begins to listen; what arrives from now on is noticed. */
  public Listener listen(SessionId sessionId) {
    var rope =
        ropes.compute(
            sessionId,
            (_, old) -> {
              var used = old == null ? new Rope(clock) : old;
              used.users++;
              return used;
            });
    return new Listener(sessionId, rope);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    notices.forEach(it -> ring(it.subject().sessionId()));
  }

  private void ring(SessionId sessionId) {
    var rope = ropes.get(sessionId);
    if (rope != null) {
      rope.arrivals.tick();
    }
  }

  /** One who waits. */
  public final class Listener implements AutoCloseable {
    private final SessionId sessionId;
    private final Rope rope;
    private boolean closed;

    private Listener(SessionId sessionId, Rope rope) {
      this.sessionId = sessionId;
      this.rope = rope;
    }

    /** Taken before reading, so that what arrives meanwhile is noticed. */
    public long arrivals() {
      return rope.arrivals.count();
    }

    /** Waits until something arrived since; false when the time has passed. */
    public boolean awaitSince(long arrivals, Duration timeout) throws InterruptedException {
      return rope.arrivals.awaitSince(arrivals, timeout);
    }

    /** Wakes all who wait at this inbox, so that they look whether to go on. */
    public void wake() {
      rope.arrivals.tick();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        ropes.computeIfPresent(sessionId, (_, it) -> --it.users == 0 ? null : it);
      }
    }
  }
}
