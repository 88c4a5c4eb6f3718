package dev.errand.daemon.tool.shell;

import dev.errand.daemon.config.Config;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.wire.json.JsonFrameCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The tools that run commands: the shell, and those that the configuration declares. */
public final class CommandTools {

  private CommandTools() {}

  public static List<Tool> all(ToolServices services, Supplier<Config> config) {
    var codec = new JsonFrameCodec();
    var shown = new ShownOutput(services.tasks().journal(), codec);
    var items = new RunItems(services.tasks().journal(), codec, services.output().logs(), shown);
    var views = new RunViews(services, codec, items, shown);
    var launching = new Launching(services, views, () -> config.get().tools().foreground());
    var tools = new ArrayList<Tool>();
    tools.add(
        new ShellTool(launching, new Looking(services, views), new Handling(services, views)));
    for (var declared : config.get().tools().declared()) {
      tools.add(new CommandTool(declared, launching));
    }
    return tools;
  }
}
