package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import java.util.List;

/** All tools of this package. */
public final class VerbTools {

  /** What is in the name of each, so that they stand apart from tools of other makers. */
  static final String PREFIX = "tool.";

  private VerbTools() {}

  public static List<Tool> all(ToolServices services) {
    return List.of(new StatusTool(services));
  }
}
