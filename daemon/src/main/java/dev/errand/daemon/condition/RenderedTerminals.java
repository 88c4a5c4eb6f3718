package dev.errand.daemon.condition;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.screen.Screen;
import dev.errand.daemon.screen.Screens;

/** The screens that are rendered from what was recorded. */
public final class RenderedTerminals implements Terminals {
  private final Screens screens;

  public RenderedTerminals(Screens screens) {
    this.screens = screens;
  }

  @Override
  public View view(Share share, TaskId taskId) throws InterruptedException {
    var screen = screens.at(share, taskId, null);
    var cursor = Math.min(screen.cursor().col(), screen.cols());
    return new View(
        screen.seq(),
        screen.offset(),
        screen.grid().lines(),
        row(screen, 0, cursor),
        row(screen, cursor, screen.cols()));
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
