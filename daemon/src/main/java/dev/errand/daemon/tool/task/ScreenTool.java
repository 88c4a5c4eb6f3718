package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.LookAtScreen;
import dev.errand.daemon.verb.Verbs;

/** {@code task_screen}: what is seen of a task's terminal. */
final class ScreenTool implements Tool {
  private static final String AT_SEQ = "at_seq";
  private static final String SCROLLBACK = "scrollback";

  private static final Schema ARGUMENTS =
      Selection.schema()
          .integer(AT_SEQ, "as it was after this frame; default: now", 0, Long.MAX_VALUE)
          .bool(SCROLLBACK, "with the lines that have scrolled off; default: false")
          .maxChars();

  private final Verbs verbs;

  ScreenTool(Verbs verbs) {
    this.verbs = verbs;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_screen",
        Toolset.TERMINAL,
        "See a terminal",
        "The screen of a task that runs at a terminal, as lines of text with the cursor: what a"
            + " person would see. Use it for programs that redraw, such as editors and menus.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var taskId = new Selection(verbs).one(call, fields).id();
    var seq = fields.integer(AT_SEQ, 0, Long.MAX_VALUE);
    var history = fields.bool(SCROLLBACK, false);
    var request = new LookAtScreen.Request(taskId, seq, history);
    var seen = verbs.status().screen().run(call.ask(), request);
    return ToolResult.of(seen.json(), seen.plain());
  }
}
