package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolServices;
import java.util.List;

/** All tools of this package. */
public final class VerbTools {

  /** What is in the name of each, so that they stand apart from tools of other makers. */
  static final String PREFIX = "tool.";

  /** What an id, or the beginning of one, has at most. */
  static final int ID_CHARS_MAX = 64;

  private VerbTools() {}

  public static List<Tool> all(ToolServices services) {
    return List.of(
        new SpawnTool(services),
        new StatusTool(services),
        new CancelTool(services),
        new EventsTool(services),
        new StdinTool(services),
        new ResizeTool(services),
        new SignalTool(services),
        new StoreTool(services.verbs().output().store()),
        new FetchTool(services));
  }
}
