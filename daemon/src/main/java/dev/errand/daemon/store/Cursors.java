package dev.errand.daemon.store;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Cursor;
import java.util.regex.Pattern;

/**
 * Converts positions of one journal to cursors and back. A cursor contains the id of its journal,
 * so a cursor of another journal is refused instead of skipping frames.
 */
public final class Cursors {
  /** How much of a journal's id is in its cursors. */
  public static final int NAME_LENGTH = 8;

  /** At most 18 digits, so that every match fits a long. */
  private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,17}");

  private final String prefix;

  public Cursors(String journalId) {
    this.prefix = journalId.substring(0, NAME_LENGTH) + ".";
  }

  /** The cursor after the frame at this position; 0 is before the first. */
  public Cursor at(long position) {
    return new Cursor(prefix + position);
  }

  /** The position of the cursor; INVALID_REQUEST if it is of another journal. */
  public long position(Cursor cursor) {
    if (cursor.equals(Cursor.START)) {
      return 0;
    }
    var text = cursor.text();
    var digits = text.startsWith(prefix) ? text.substring(prefix.length()) : "";
    if (!POSITION.matcher(digits).matches()) {
      throw foreign(cursor);
    }
    return Long.parseLong(digits);
  }

  /** Refuses a cursor past the end: the journal never had that position, or lost it. */
  public void checkNotPast(Cursor cursor, long last) {
    if (position(cursor) > last) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the cursor '%s' is past the end, which is '%s'; read from there or before"
              .formatted(cursor.text(), at(last).text()));
    }
  }

  private static ErrandException foreign(Cursor cursor) {
    return new ErrandException(
        ErrorCode.INVALID_REQUEST,
        "the cursor '" + cursor.text() + "' is not of this journal; read again from the start");
  }
}
