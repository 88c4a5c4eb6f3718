package dev.errand.daemon.tool.shell;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.verb.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The tools that run commands: the shell, and those that the configuration declares. */
public final class CommandTools {

  private CommandTools() {}

  public static List<Tool> all(Verbs verbs, Time clock, Supplier<Config> config) {
    var views = new RunViews(verbs, new RunItems(new ShownOutput()), clock);
    var launching = new Launching(verbs, views, () -> config.get().tools().foreground());
    var tools = new ArrayList<Tool>();
    tools.add(new ShellTool(launching, new Looking(verbs, views), new Handling(verbs, views)));
    for (var declared : config.get().tools().declared()) {
      tools.add(new CommandTool(declared, launching));
    }
    return tools;
  }
}
