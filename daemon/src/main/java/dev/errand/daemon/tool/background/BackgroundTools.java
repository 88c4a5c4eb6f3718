package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.task.TaskReader;
import java.util.List;

/** All tools of this package. */
public final class BackgroundTools {

  private BackgroundTools() {}

  public static List<Tool> all(ToolServices services, TaskReader reader) {
    return List.of(
        new LaunchTool(services, reader),
        new OutputTool(services, reader),
        new ListTool(services, reader),
        new CancelTool(services, reader),
        new ClearTool(services, reader));
  }
}
