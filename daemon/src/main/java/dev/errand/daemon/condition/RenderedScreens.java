package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.screen.Screen;
import dev.errand.daemon.screen.Screens;

/** The screens that are rendered from what was recorded. */
public final class RenderedScreens implements ScreenSource {
  private final Screens screens;

  public RenderedScreens(Screens screens) {
    this.screens = screens;
  }

  @Override
  public View view(Share share, TaskId taskId) throws InterruptedException {
    var screen = screens.at(share, taskId, null);
    var col = Math.min(screen.cursor().col(), screen.cols());
    var cursor =
        new Cursor(
            screen.cursor().row(),
            row(screen, 0, col),
            row(screen, col, screen.cols()),
            screen.cursor().visible());
    return new View(
        screen.seq(), screen.offset(), screen.grid().lines(), cursor, screen.alternate());
  }

  private static String row(Screen screen, int from, int to) {
    var text = new StringBuilder();
    for (var col = from; col < to; col++) {
      // Right of a wide character there is none.
      var character = screen.grid().character(screen.cursor().row(), col);
      if (character != 0) {
        text.appendCodePoint(character);
      }
    }
    return text.toString();
  }
}
