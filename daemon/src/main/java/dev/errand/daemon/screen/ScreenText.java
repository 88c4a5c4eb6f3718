package dev.errand.daemon.screen;

import dev.errand.core.task.TaskId;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A screen in the forms in which it leaves the daemon. */
public final class ScreenText {

  private ScreenText() {}

  /** Each row as a line without the blanks at its end; no control character but the line ends. */
  public static String plain(Screen screen) {
    return String.join("\n", screen.grid().lines()) + "\n";
  }

  /** The same, with the lines before it. */
  public static String plain(Screens.View view) {
    var before = view.history().isEmpty() ? "" : String.join("\n", view.history()) + "\n";
    return before + plain(view.screen());
  }

  /**
   * Sequences that bring a fresh terminal into this state, so that the bytes of the log from {@link
   * Screen#offset} on go on from it.
   */
  public static String ansi(Screen screen) {
    return Redraw.of(screen);
  }

  /** A page that stands alone. */
  public static String html(Screens.View view) {
    return ScreenPage.of(view.screen(), view.history());
  }

  /** Everything but the colours; {@code scrollback} where there is some. */
  public static ObjectNode json(TaskId taskId, Screens.View view) {
    var node = JsonNodeFactory.instance.objectNode().put("task_id", taskId.value());
    var screen = view.screen();
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
    if (!view.history().isEmpty()) {
      var before = node.putArray("scrollback");
      view.history().forEach(before::add);
    }
    return node;
  }
}
