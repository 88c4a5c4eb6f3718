package dev.errand.daemon.tool.verb;

import dev.errand.core.task.TaskView;
import dev.errand.core.time.Time;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.text.LiveText;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.LeftoverText;
import dev.errand.wire.json.StatusWriter;
import java.util.ArrayList;

/** The status of a task as the answer of a tool. */
final class StatusResult {

  private final Time clock;

  StatusResult(Time clock) {
    this.clock = clock;
  }

  /** With how it stands in one line. */
  ToolResult of(TaskView view) {
    return of(view, line(view));
  }

  /** The same, with what a look at its processes shows. */
  ToolResult of(ShownTask task) {
    var live = LiveText.of(task);
    var text = line(task.view()) + (live.isEmpty() ? "" : "\n" + live);
    return ToolResult.of(JsonWriter.tree(task::writeLiveStatus), text);
  }

  ToolResult of(TaskView view, String text) {
    return ToolResult.of(JsonWriter.tree(out -> StatusWriter.write(out, view)), text);
  }

  private String line(TaskView view) {
    var sheet = new TaskSheet(view);
    var end = view.end();
    var parts = new ArrayList<String>();
    var word = view.status().word();
    var state =
        view instanceof TaskView.Running
            ? sheet.state(clock.millis())
            : sheet.isWaiting() ? word + ", " + sheet.waitText(clock.millis()) : word;
    parts.add(sheet.name() + " " + state);
    if (view.exit() != null) {
      parts.add("exit code " + view.exit().code());
    }
    if (sheet.isCancelled() || (end != null && end.exit() == null)) {
      parts.add(sheet.ending());
    } else if (sheet.error() != null) {
      parts.add(sheet.error());
    }
    var line = String.join(", ", parts) + ": " + sheet.shortCommand();
    var left = LeftoverText.of(view.leftovers());
    return left.isEmpty() ? line : line + "; " + left;
  }
}
