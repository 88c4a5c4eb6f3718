package dev.errand.daemon.toolbox;

import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.verb.VerbTools;
import java.util.ArrayList;

/** All tools there are. */
public final class Toolbox {

  private Toolbox() {}

  public static Catalogue filled(ToolServices services) {
    var tools = new ArrayList<Tool>();
    tools.addAll(VerbTools.all(services));
    return new Catalogue(tools);
  }
}
