package dev.errand.daemon.toolbox;

import dev.errand.daemon.config.Config;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.background.BackgroundTools;
import dev.errand.daemon.tool.shell.CommandTools;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.task.TaskTools;
import dev.errand.daemon.tool.verb.VerbTools;
import dev.errand.wire.json.JsonFrameCodec;
import java.util.ArrayList;
import java.util.function.Supplier;

/** All tools there are. */
public final class Toolbox {

  private Toolbox() {}

  /** Fails with INVALID_REQUEST where a declared tool has the name of another. */
  public static Catalogue filled(ToolServices services, Supplier<Config> config) {
    var tools = new ArrayList<Tool>();
    tools.addAll(CommandTools.all(services, config));
    tools.addAll(VerbTools.all(services));
    var reader = reader(services);
    tools.addAll(TaskTools.all(services, reader));
    tools.addAll(BackgroundTools.all(services, reader));
    return new Catalogue(tools);
  }

  private static TaskReader reader(ToolServices services) {
    var journal = services.tasks().journal();
    var codec = new JsonFrameCodec();
    var tails =
        new Tails(
            journal, codec, services.output().logs(), services.tasks().engine()::liveSnapshot);
    return new TaskReader(services, tails);
  }
}
