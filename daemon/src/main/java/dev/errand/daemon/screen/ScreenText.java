package dev.errand.daemon.screen;

import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A screen in the forms in which it leaves the daemon. */
public final class ScreenText {

  private ScreenText() {}

  /** Each row as a line without the blanks at its end; no control character but the line ends. */
  public static String plain(Screen screen) {
    return String.join("\n", screen.grid().lines()) + "\n";
  }

  /**
   * Sequences that bring a fresh terminal into this state, so that the bytes of the log from {@link
   * Screen#offset} on go on from it.
   */
  public static String ansi(Screen screen) {
    return Redraw.of(screen);
  }

  /** A page that stands alone, with those lines before the screen. */
  public static String html(Screen screen, List<String> history) {
    return ScreenPage.of(screen, history);
  }

  public static ObjectNode json(Screen screen) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("seq", screen.seq()).put("offset_bytes", screen.offset());
    node.put("rows", screen.rows()).put("cols", screen.cols());
    var cursor = screen.cursor();
    node.putObject("cursor")
        .put("row", cursor.row())
        .put("col", cursor.col())
        .put("visible", cursor.visible());
    node.put("title", screen.title());
    node.put("alternate", screen.alternate()).put("approximate", screen.approximate());
    var lines = node.putArray("lines");
    screen.grid().lines().forEach(lines::add);
    return node;
  }
}
