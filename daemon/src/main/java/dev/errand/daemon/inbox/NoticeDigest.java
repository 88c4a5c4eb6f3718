package dev.errand.daemon.inbox;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.NoticeEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Several notices as one text of limited length: the newest ones in full, the rest named in a line
 * before them. Each covered notice is at least named, so all of them may be acknowledged.
 *
 * @param upTo the cursor after the last covered notice
 */
public record NoticeDigest(String text, List<String> ids, Cursor upTo) {

  /** Limit of one name with its status, so that a line of names always fits. */
  private static final int NAMED_CHARS_MAX = 300;

  /** Words around the names. */
  private static final int WORDS_CHARS_MAX = 200;

  public NoticeDigest {
    ids = List.copyOf(ids);
  }

  /** How many notices a text of that length can name at least. */
  public static int countFor(int charsMax) {
    return Math.max(1, (charsMax - WORDS_CHARS_MAX) / NAMED_CHARS_MAX);
  }

  /** The entries are of one session, oldest first, and no more than can be named. */
  public static NoticeDigest of(
      List<NoticeEntry> entries, Cursor after, NoticeViews views, int charsMax) {
    var whole = new ArrayList<String>();
    var named = new ArrayList<String>();
    entries.forEach(it -> named.add(views.brief(it.notice())));
    var chars = line(named).length() + WORDS_CHARS_MAX;
    for (var entry : entries.reversed()) {
      var text = views.text(entry.notice(), charsMax - chars, whole.isEmpty());
      if (chars + text.length() > charsMax && !whole.isEmpty()) {
        break;
      }
      whole.addFirst(text);
      chars += text.length() - named.removeLast().length();
    }
    if (!named.isEmpty()) {
      whole.addFirst(line(named));
    }
    return new NoticeDigest(
        String.join("\n\n", whole),
        entries.stream().map(it -> it.notice().id()).toList(),
        entries.isEmpty() ? after : entries.getLast().cursor());
  }

  private static String line(List<String> named) {
    return "%sAnd %d more: %s. Use task_status to see how each stands."
        .formatted(NoticeText.PREFIX, named.size(), String.join("; ", named));
  }
}
