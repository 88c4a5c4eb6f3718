package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.verb.Verbs;
import java.util.List;

/** All tools of this package. */
public final class BackgroundTools {

  private BackgroundTools() {}

  public static List<Tool> all(Verbs verbs, TaskReader reader) {
    return List.of(
        new LaunchTool(verbs, reader),
        new OutputTool(verbs, reader),
        new ListTool(verbs, reader),
        new CancelTool(verbs, reader),
        new ClearTool(verbs, reader));
  }
}
