package dev.errand.daemon.toolbox;

import dev.errand.daemon.config.Config;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.shell.CommandTools;
import dev.errand.daemon.tool.verb.VerbTools;
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
    return new Catalogue(tools);
  }
}
