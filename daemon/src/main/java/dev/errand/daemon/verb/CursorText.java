package dev.errand.daemon.verb;

import dev.errand.core.journal.Cursor;
import dev.errand.wire.json.RequestFields;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the cursors of callers, who got them as opaque texts. */
final class CursorText {

  /** Means the cursor after everything that exists now. */
  private static final String NOW = "now";

  private CursorText() {}

  /** {@code text} is a cursor or {@code now}; null means the start. */
  static Cursor read(@Nullable String text, Supplier<Cursor> head) {
    if (text == null) {
      return Cursor.START;
    }
    return text.equals(NOW) ? head.get() : read(text);
  }

  static Cursor read(String text) {
    try {
      return new Cursor(text);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid("invalid cursor; use one that an earlier answer gave");
    }
  }
}
