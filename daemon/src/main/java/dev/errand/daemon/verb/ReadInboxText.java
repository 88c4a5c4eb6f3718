package dev.errand.daemon.verb;

import dev.errand.daemon.inbox.NoticeDigest;
import org.jspecify.annotations.Nullable;

/**
 * Reads the same notices as {@link ReadInbox} as one text of bounded length that names each of
 * them.
 */
public final class ReadInboxText extends Verb<ReadInbox.Request, ReadInboxText.Text> {
  private final InboxVerbs inboxes;
  private final int charsMax;

  /**
   * The text.
   *
   * @param upTo the cursor of the last notice that it names, by which all of them can be
   *     acknowledged
   * @param next the cursor after which the next text starts; null if there are no more now
   */
  public record Text(String text, String upTo, @Nullable String next) {}

  ReadInboxText(Verbs.Parts parts) {
    super("read_inbox_text", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.inboxes = parts.inboxVerbs();
    this.charsMax = parts.told().textCharsMax();
  }

  @Override
  Text answer(Ask ask, ReadInbox.Request request) throws InterruptedException {
    var limit = Math.min(request.limit(), NoticeDigest.countFor(charsMax));
    var toRead = ResultPage.toRead(limit);
    var query = inboxes.query(request.sessionId(), request.after(), request.all(), toRead);
    var read = inboxes.read(ask, query, request.waitMax());
    var page = ResultPage.of(read, limit, it -> it.cursor().text());
    var digest = NoticeDigest.of(page.items(), query.after(), inboxes.views(), charsMax);
    return new Text(digest.text(), digest.upTo().text(), page.next());
  }
}
