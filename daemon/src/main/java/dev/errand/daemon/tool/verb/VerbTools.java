package dev.errand.daemon.tool.verb;

import dev.errand.core.time.Time;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.verb.Verbs;
import java.util.List;

/** All tools of this package. */
public final class VerbTools {

  /**
   * What is in the name of each, so that they stand apart from tools of other makers. They answer
   * to {@code tool.} as well, but many clients take no name with a dot.
   */
  static final String PREFIX = "tool_";

  /** What an id, or the beginning of one, has at most. */
  static final int ID_CHARS_MAX = 64;

  private VerbTools() {}

  public static List<Tool> all(Verbs verbs, Time clock) {
    var status = new StatusResult(clock);
    return List.of(
        new SpawnTool(verbs, clock),
        new StatusTool(verbs, status),
        new CancelTool(verbs, status),
        new EventsTool(verbs),
        new StdinTool(verbs),
        new ResizeTool(verbs, status),
        new SignalTool(verbs, status),
        new StoreTool(verbs.output().store()),
        new FetchTool(verbs));
  }
}
