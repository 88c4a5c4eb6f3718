package dev.errand.daemon.tool.shell;

import dev.errand.core.error.PastEnd;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** How a run stands, and what it wrote. */
final class Looking {
  static final int LIMIT_MAX = 500;
  private static final int LIMIT_DEFAULT = 256;

  private final Verbs verbs;
  private final RunViews views;

  Looking(Verbs verbs, RunViews views) {
    this.verbs = verbs;
    this.views = views;
  }

  ToolResult poll(ToolCall call, RequestFields fields) throws InterruptedException {
    var found = find(call, fields);
    var task = found.task();
    var run = found.run();
    var since = since(fields, run);
    // Made before the items, so that they are complete where it says that the run is over.
    var head = views.head(task, run);
    var page = views.items().read(run, since, limit(fields), null);
    var node = RunViews.add(head, since, page);
    var snippet = views.snippet(found.ask(), task.id());
    node.put("snippet", snippet);
    RunViews.addItems(node, page.items());
    return ToolResult.of(
        node, RunViews.line(task.view()) + (snippet.isEmpty() ? "" : "\n" + snippet));
  }

  ToolResult log(ToolCall call, RequestFields fields) throws InterruptedException {
    var stream = fields.word(ShellTool.STREAM, List.of(RunItem.STDOUT, RunItem.STDERR));
    var limit = limit(fields);
    var run = find(call, fields).run();
    var since = since(fields, run);
    var page = views.items().read(run, since, limit, stream);
    var node = JsonNodeFactory.instance.objectNode().put(ShellTool.RUN_ID, run.taskId().value());
    RunViews.addItems(RunViews.add(node, since, page), page.items());
    return ToolResult.of(node, text(page));
  }

  /** A run that is shown, and the call as it goes on. */
  private record Found(ShownTask task, Run run, Ask ask) {}

  private Found find(ToolCall call, RequestFields fields) throws InterruptedException {
    var found = new RunChoice(verbs).find(call, fields);
    var request = new ShowTask.Request(found.task().id());
    var task = verbs.status().show().run(found.ask(), request);
    return new Found(task, views.run(found.ask(), task.id()), found.ask());
  }

  private static long since(RequestFields fields, Run run) {
    var since = fields.integer(ShellTool.SINCE_SEQ, 0, Long.MAX_VALUE);
    if (since == null) {
      return 0;
    }
    PastEnd.checkSeq(ShellTool.SINCE_SEQ, since, run.frames().lastSeq());
    return since;
  }

  private static int limit(RequestFields fields) {
    var limit = fields.integer(ShellTool.LIMIT, 1, Integer.MAX_VALUE);
    return limit == null ? LIMIT_DEFAULT : (int) Math.min(limit, LIMIT_MAX);
  }

  /** What was written, and what happened in square brackets. */
  static String text(RunItems.Page page) {
    var text = new StringBuilder();
    for (var item : page.items()) {
      if (item.type().equals(RunItem.EVENT)) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
          text.append('\n');
        }
        text.append('[').append(item.payload());
        text.append(item.left().isEmpty() ? "]\n" : "; " + item.left() + "]\n");
      } else {
        text.append(item.payload());
      }
    }
    return text.toString();
  }
}
