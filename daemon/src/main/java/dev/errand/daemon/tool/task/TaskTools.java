package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.verb.Verbs;
import java.util.List;

/** All tools of this package. */
public final class TaskTools {

  private TaskTools() {}

  public static List<Tool> all(Verbs verbs, TaskReader reader) {
    return List.of(
        new SpawnTool(verbs, reader),
        new ListTool("task_status", verbs, reader),
        new ListTool("task_list", verbs, reader),
        new JoinTool(verbs, reader),
        new KillTool(verbs, reader),
        new WaitTool(verbs, reader),
        new TaskOutputTool(verbs, reader),
        new SendTool(verbs, reader),
        new SearchTool(verbs),
        new DigestTool(verbs, reader),
        new ScreenTool(verbs));
  }
}
