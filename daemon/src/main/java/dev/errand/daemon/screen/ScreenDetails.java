package dev.errand.daemon.screen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is not seen of a terminal and yet decides how the next bytes are shown. */
record ScreenDetails(
    List<String> modes,
    List<Integer> tabs,
    long look,
    boolean wrapIsDue,
    boolean wraps,
    boolean inserts,
    boolean newLines,
    boolean origin,
    boolean inverse,
    Charsets charsets,
    int scrollTop,
    int scrollEnd,
    SavedCursor saved,
    @Nullable Hidden hidden) {

  /** Which of two sets is in use, and what they are; 2 is the one of line drawing. */
  record Charsets(int selected, List<Integer> sets) {
    static final int LINE_DRAWING = 2;
  }

  /** The main screen, while the alternate one is shown. */
  record Hidden(Grid grid, SavedCursor saved) {}
}
