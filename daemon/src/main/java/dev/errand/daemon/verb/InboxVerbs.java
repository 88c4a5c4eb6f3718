package dev.errand.daemon.verb;

import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the verbs of inboxes share: selecting notices, waiting for them, and their form. */
final class InboxVerbs {
  private final Inbox inbox;
  private final NoticeViews views;

  InboxVerbs(Verbs.Parts.Told told) {
    this.inbox = told.inbox();
    this.views = told.views();
  }

  Inbox inbox() {
    return inbox;
  }

  NoticeViews views() {
    return views;
  }

  /** {@code after} is the text of a cursor, or {@code now}; null: at the first notice. */
  NoticeQuery query(SessionId sessionId, @Nullable String after, boolean all, int limit) {
    return new NoticeQuery(sessionId, CursorText.read(after, inbox::head), all, limit);
  }

  /** If there is none, waits for the first one, at most this long. */
  List<NoticeEntry> read(Ask ask, NoticeQuery query, Duration wait) throws InterruptedException {
    var entries = inbox.read(query);
    if (!entries.isEmpty() || !wait.isPositive()) {
      return entries;
    }
    try (var _ = ask.slot()) {
      return inbox.await(query, wait);
    }
  }

  EncodedNotice encoded(NoticeEntry entry) {
    return new EncodedNotice(entry.cursor().text(), views.bytes(entry));
  }
}
