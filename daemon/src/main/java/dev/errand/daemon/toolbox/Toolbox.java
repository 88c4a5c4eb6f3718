package dev.errand.daemon.toolbox;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.background.BackgroundTools;
import dev.errand.daemon.tool.shell.CommandTools;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.task.TaskTools;
import dev.errand.daemon.tool.verb.VerbTools;
import dev.errand.daemon.verb.Verbs;
import java.util.ArrayList;
import java.util.function.Supplier;

/** All tools there are. */
public final class Toolbox {

  private Toolbox() {}

  /** Fails with INVALID_REQUEST where a declared tool has the name of another. */
  public static Catalogue filled(Verbs verbs, Time clock, Supplier<Config> config) {
    var tools = new ArrayList<Tool>();
    tools.addAll(CommandTools.all(verbs, clock, config));
    tools.addAll(VerbTools.all(verbs, clock));
    var reader = new TaskReader(verbs, clock);
    tools.addAll(TaskTools.all(verbs, reader));
    tools.addAll(BackgroundTools.all(verbs, reader));
    return new Catalogue(tools, () -> config.get().tools().replyChars());
  }
}
