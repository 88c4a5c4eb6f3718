package dev.errand.daemon.tool.shell;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.ShownTask;
import tools.jackson.databind.node.ObjectNode;

/** The answer to a command that was waited for: what it wrote, and how it ended. */
final class OneShot {
  /** Events of its watchers are small; so many are told. */
  private static final int EVENTS_MAX = 100;

  private static final int EVENTS_CHARS_MAX = 2_000;

  private final RunViews views;

  OneShot(RunViews views) {
    this.views = views;
  }

  ToolResult result(ToolCall call, ShownTask task) throws InterruptedException {
    var view = task.view();
    var run = views.run(call.ask(), task.id());
    var head = views.head(task, run);
    var room = (int) Math.min(call.form().outputChars(), run.shownBytesMax());
    var output = views.output();
    var text = output.ends(call.ask(), view, room, it -> RunViews.logCall(view, it)).text();
    streams(call, view, room, head);
    events(run, head);
    return new ToolResult(head, Looking.joined(text, views.line(view, run)), !view.isSuccess());
  }

  /** Each stream by itself; the second one gets at least a third of the room if it needs it. */
  private void streams(ToolCall call, TaskView view, int room, ObjectNode head)
      throws InterruptedException {
    var left = room;
    for (var log : view.facts().progress().logs().reversed()) {
      var isLast = log.stream() != LogStream.STDERR;
      var share = isLast ? left : room / 3;
      var text =
          views
              .output()
              .ends(call.ask(), view, log.stream(), share, it -> RunViews.logCall(view, it));
      left -= isLast ? 0 : Math.min(share, RunViews.cost(text));
      head.put(isLast ? RunItem.STDOUT : RunItem.STDERR, text);
    }
  }

  /** What its watchers saw. */
  private void events(Run run, ObjectNode head) {
    var seen = run.spec().watching().watchers().stream().map(Watcher::event).toList();
    if (seen.isEmpty()) {
      return;
    }
    var wanted = new RunItems.Wanted(EVENTS_MAX, EVENTS_CHARS_MAX, RunItem.EVENT);
    var events = head.putArray("events");
    views.items().read(run, -1, wanted).items().stream()
        .filter(it -> seen.contains(it.payload()))
        .forEach(it -> events.add(it.json()));
  }
}
