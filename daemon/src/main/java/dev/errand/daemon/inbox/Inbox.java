package dev.errand.daemon.inbox;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads, awaits and acknowledges the notices in the inboxes of sessions. */
public final class Inbox {

  /** Limit of ids in one frame, so that frames stay short. */
  private static final int IDS_PER_FRAME = 100;

  private final Engine engine;
  private final Journal journal;
  private final InboxSignal signal;
  private final Time clock;

  public Inbox(Engine engine, Journal journal, InboxSignal signal, Time clock) {
    this.engine = engine;
    this.journal = journal;
    this.signal = signal;
    this.clock = clock;
  }

  public InboxSignal.Listener listen(SessionId sessionId) {
    return signal.listen(sessionId);
  }

  /** Reads the notices that match the query. */
  public List<NoticeEntry> read(NoticeQuery query) {
    return journal.notices(query);
  }

  /** The same, but waits up to the timeout for the first notice if there is none. */
  public List<NoticeEntry> await(NoticeQuery query, Duration timeout) throws InterruptedException {
    var end = clock.ticks() + timeout.toNanos();
    try (var listener = signal.listen(query.sessionId())) {
      while (true) {
        var arrivals = listener.arrivals();
        var page = read(query);
        var left = Duration.ofNanos(end - clock.ticks());
        if (!page.isEmpty() || !left.isPositive() || !listener.awaitSince(arrivals, left)) {
          return page;
        }
      }
    }
  }

  /** Those of the ids that belong to this session and are not acknowledged. */
  public List<String> unacknowledged(SessionId sessionId, List<String> ids) {
    return journal.unacknowledged(sessionId, ids);
  }

  /** The cursor after the last notice. */
  public Cursor head() {
    return journal.lastNotice();
  }

  /** Acknowledges these notices; returns how many were unacknowledged. Unknown ids are ignored. */
  public int acknowledge(SessionId sessionId, List<String> ids, String by) {
    return acknowledged(sessionId, journal.unacknowledged(sessionId, ids), by);
  }

  /** The same for all up to a cursor. */
  public int acknowledge(SessionId sessionId, Cursor upTo, String by) {
    return acknowledged(sessionId, journal.unacknowledged(sessionId, upTo), by);
  }

  private int acknowledged(SessionId sessionId, List<String> ids, String by) {
    if (!ids.isEmpty()) {
      var change = new InboxChange.Acknowledged(sessionId, ids, clock.millis());
      engine.record(sessionId, events(ids, by), batch -> batch.inbox(change));
    }
    return ids.size();
  }

  /** The events of an acknowledgement. */
  public static List<SessionEvent> events(List<String> ids, String by) {
    List<SessionEvent> events = new ArrayList<>();
    for (var from = 0; from < ids.size(); from += IDS_PER_FRAME) {
      var part = ids.subList(from, Math.min(ids.size(), from + IDS_PER_FRAME));
      events.add(new SessionEvent.NoticesAcknowledged(part, by));
    }
    return events;
  }
}
