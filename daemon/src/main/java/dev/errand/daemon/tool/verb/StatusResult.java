package dev.errand.daemon.tool.verb;

import dev.errand.core.task.TaskView;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.LeftoverText;
import dev.errand.wire.json.StatusWriter;

/** The status of a task as the answer of a tool. */
final class StatusResult {

  private StatusResult() {}

  /** With how it stands in one line. */
  static ToolResult of(TaskView view) {
    return of(view, line(view));
  }

  /** The same, with what a look at its processes shows. */
  static ToolResult of(ShownTask task) {
    return ToolResult.of(JsonWriter.tree(task::writeLiveStatus), line(task.view()));
  }

  static ToolResult of(TaskView view, String text) {
    return ToolResult.of(JsonWriter.tree(out -> StatusWriter.write(out, view)), text);
  }

  private static String line(TaskView view) {
    var text = new StringBuilder(view.id().value());
    text.append(' ').append(view.status().word());
    var end = view.end();
    if (view.exit() != null) {
      text.append(", exit code ").append(view.exit().code());
    }
    if (end != null && EndJson.error(end) != null) {
      text.append(", ").append(EndJson.error(end));
    }
    text.append(": ").append(view.facts().work().line());
    var left = LeftoverText.of(view.leftovers());
    return left.isEmpty() ? text.toString() : text.append("; ").append(left).toString();
  }
}
