package dev.errand.daemon.inbox;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps inboxes short: notices are merged, never dropped, if too many are unread. */
public final class InboxMerger implements CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InboxMerger.class);

  /** Limit of sessions with a cached count; others are counted again. */
  private static final int REMEMBERED_MAX = 10_000;

  /**
   * If merging did not help, the next try comes after this fraction of the unread count arrived:
   * each try reads all notices, so no notice is read more than a few times.
   */
  private static final int AGAIN_PART = 2;

  private final Engine engine;
  private final Journal journal;
  private final int unreadMax;
  private final LinkedBlockingQueue<SessionId> due = new LinkedBlockingQueue<>();
  private final Set<SessionId> queued = new HashSet<>();
  private final Map<SessionId, Long> room =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Long> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };
  private @Nullable Thread worker;

  public InboxMerger(Engine engine, Journal journal, int unreadMax) {
    this.engine = engine;
    this.journal = journal;
    this.unreadMax = unreadMax;
  }

  public void start() {
    worker = Thread.ofVirtual().name("inbox-merger").start(this::run);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    notices.forEach(it -> arrived(it.subject().sessionId()));
  }

  private void arrived(SessionId sessionId) {
    synchronized (queued) {
      var left = room.merge(sessionId, -1L, Long::sum);
      if (left < 0 && queued.add(sessionId)) {
        due.add(sessionId);
      }
    }
  }

  private void run() {
    try {
      while (true) {
        var sessionId = due.take();
        synchronized (queued) {
          queued.remove(sessionId);
        }
        keep(sessionId);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep(SessionId sessionId) {
    try {
      var kept = new AtomicLong();
      // Read inside the commit, so that no acknowledgement comes between.
      engine.record(
          sessionId,
          List.of(),
          batch -> {
            var unread = unread(sessionId);
            var merges = Merge.plan(unread, unreadMax);
            merges.forEach(it -> batch.inbox(new InboxChange.Merged(it)));
            kept.set(unread.size() - merges.stream().mapToLong(it -> it.gone().size()).sum());
          });
      // What arrived since then was not part of the merge.
      var since = journal.unacknowledged(sessionId) - kept.get();
      leave(sessionId, room(kept.get(), unreadMax) - since);
    } catch (RuntimeException e) {
      log.warn("the notices of session {} could not be merged", sessionId, e);
    }
  }

  private void leave(SessionId sessionId, long left) {
    synchronized (queued) {
      room.put(sessionId, left);
      if (left < 0 && queued.add(sessionId)) {
        due.add(sessionId);
      }
    }
  }

  /** How many notices may arrive before the next check. */
  static long room(long unread, int unreadMax) {
    return unread <= unreadMax ? unreadMax - unread : unread / AGAIN_PART;
  }

  /** All unread notices, oldest first. */
  private List<Notice> unread(SessionId sessionId) {
    var notices = new ArrayList<Notice>();
    var after = Cursor.START;
    while (true) {
      var page = journal.notices(new NoticeQuery(sessionId, after, false, NoticeQuery.LIMIT_MAX));
      page.forEach(it -> notices.add(it.notice()));
      if (page.size() < NoticeQuery.LIMIT_MAX) {
        return notices;
      }
      after = page.getLast().cursor();
    }
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
