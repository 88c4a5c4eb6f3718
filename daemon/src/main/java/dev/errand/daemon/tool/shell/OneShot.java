package dev.errand.daemon.tool.shell;

import dev.errand.core.task.Watcher;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.ShownTask;
import java.util.ArrayList;

/** The answer to a command that was waited for: all that it shows, at once. */
final class OneShot {
  private final RunViews views;

  OneShot(RunViews views) {
    this.views = views;
  }

  ToolResult result(ToolCall call, ShownTask task) throws InterruptedException {
    var view = task.view();
    var run = views.run(call.ask(), task.id());
    var head = views.head(task, run);
    var items = new ArrayList<RunItem>();
    var since = -1L;
    while (true) {
      var page = views.items().read(run, since, Looking.LIMIT_MAX, null);
      if (page.nextSeq() == since) {
        break;
      }
      items.addAll(page.items());
      since = page.nextSeq();
    }
    var seen = run.spec().watching().watchers().stream().map(Watcher::event).toList();
    items.removeIf(it ->
        it.type().equals(RunItem.EVENT)
            && !it.payload().equals("output_truncated")
            && !seen.contains(it.payload()));
    head.put("stdout", joined(items, RunItem.STDOUT));
    head.put("stderr", joined(items, RunItem.STDERR));
    if (!seen.isEmpty()) {
      var events = head.putArray("events");
      items.stream().filter(it -> seen.contains(it.payload())).forEach(it -> events.add(it.json()));
    }
    var good = view.isSuccess();
    var tells = !good || !RunViews.left(view.leftovers()).isEmpty();
    var output = Looking.text(new RunItems.Page(items, since));
    return new ToolResult(
        head, tells ? output + ending(output, RunViews.line(view)) : output, !good);
  }

  private static String joined(Iterable<RunItem> items, String type) {
    var text = new StringBuilder();
    for (var item : items) {
      if (item.type().equals(type)) {
        text.append(item.payload());
      }
    }
    return text.toString();
  }

  private static String ending(String output, String line) {
    return (output.isEmpty() || output.endsWith("\n") ? "" : "\n") + line;
  }
}
