package dev.errand.daemon.webhook;

import dev.errand.core.frame.Frame;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeEntry;

/** One thing that is posted to a target, under an id by which a repeat can be told. */
sealed interface Posting {
  String id();

  long atMs();

  /** The header that has the id. */
  String idHeader();

  /** The position after it. */
  Cursor cursor();

  record OfNotice(NoticeEntry entry) implements Posting {
    @Override
    public String id() {
      return entry.notice().id();
    }

    @Override
    public long atMs() {
      return entry.notice().atMs();
    }

    @Override
    public String idHeader() {
      return "Errand-Notice-Id";
    }

    @Override
    public Cursor cursor() {
      return entry.cursor();
    }
  }

  /**
   * An event of a task.
   *
   * @param urgent whether it is output before another event of its task, and so is not held back
   */
  record OfEvent(WebhookEvent kind, Frame.OfTask frame, Cursor cursor, boolean urgent)
      implements Posting {
    @Override
    public String id() {
      return frame.head().id();
    }

    @Override
    public long atMs() {
      return frame.head().timestampMs();
    }

    @Override
    public String idHeader() {
      return "Errand-Event-Id";
    }

    OfEvent atOnce() {
      return new OfEvent(kind, frame, cursor, true);
    }
  }
}
