package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import java.util.List;

/** All tools of this package. */
public final class TaskTools {

  private TaskTools() {}

  public static List<Tool> all(ToolServices services, TaskReader reader) {
    return List.of(
        new SpawnTool(services),
        new ListTool("task_status", services, reader),
        new ListTool("task_list", services, reader),
        new JoinTool(services, reader),
        new KillTool(services, reader),
        new WaitTool(services, reader),
        new SearchTool(services),
        new DigestTool(services),
        new ScreenTool(services));
  }
}
