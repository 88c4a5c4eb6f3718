package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads notices of a session, oldest first; if there is none it may wait for the first one. */
public final class ReadInbox extends Verb<ReadInbox.Request, ResultPage<EncodedNotice>> {
  /** A page with more bytes than this ends early: a notice may contain a whole result. */
  private static final int PAGE_BYTES_MAX = 4 << 20;

  private final InboxVerbs inboxes;

  /**
   * What is asked.
   *
   * @param after the cursor after which to start, or {@code now}; null: at the first notice
   * @param all whether acknowledged ones are included
   * @param waitMax how long to wait for the first one if there is none
   */
  public record Request(
      SessionId sessionId, @Nullable String after, boolean all, int limit, Duration waitMax)
      implements OfSession {}

  ReadInbox(Verbs.Parts parts) {
    super("read_inbox", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.inboxes = parts.inboxVerbs();
  }

  @Override
  ResultPage<EncodedNotice> answer(Ask ask, Request request) throws InterruptedException {
    var toRead = ResultPage.toRead(request.limit());
    var query = inboxes.query(request.sessionId(), request.after(), request.all(), toRead);
    var read = inboxes.read(ask, query, request.waitMax());
    var items = new ArrayList<EncodedNotice>();
    var bytesLeft = PAGE_BYTES_MAX;
    for (var entry : read.subList(0, Math.min(request.limit(), read.size()))) {
      if (bytesLeft <= 0) {
        break;
      }
      items.add(inboxes.encoded(entry));
      bytesLeft -= items.getLast().json().length;
    }
    var hasMore = read.size() > items.size() && !items.isEmpty();
    return new ResultPage<>(items, hasMore ? items.getLast().cursor() : null);
  }
}
