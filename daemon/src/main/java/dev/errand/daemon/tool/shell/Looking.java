package dev.errand.daemon.tool.shell;

import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** How a run stands, and what it wrote. */
final class Looking {
  static final int LIMIT_MAX = 500;
  private static final int LIMIT_DEFAULT = 256;

  private final ToolServices services;
  private final RunViews views;

  Looking(ToolServices services, RunViews views) {
    this.services = services;
    this.views = views;
  }

  ToolResult poll(ToolCall call, RequestFields fields) throws InterruptedException {
    var found = find(call, fields);
    var row = found.row();
    var since = since(fields, row);
    // Read before the items, so that they are complete where it says that the run is over.
    var view = views.view(row);
    var head = views.head(row, view);
    var page = views.items().read(views.run(row.id()), since, limit(fields), null);
    var node = RunViews.add(head, since, page);
    var snippet = views.snippet(row.id());
    node.put("snippet", snippet);
    RunViews.addItems(node, page.items());
    services.noteRead(row, call, found.session());
    return ToolResult.of(node, RunViews.line(view) + (snippet.isEmpty() ? "" : "\n" + snippet));
  }

  ToolResult log(ToolCall call, RequestFields fields) throws InterruptedException {
    var stream = fields.word(ShellTool.STREAM, List.of(RunItem.STDOUT, RunItem.STDERR));
    var limit = limit(fields);
    var found = find(call, fields);
    var row = found.row();
    var since = since(fields, row);
    var page = views.items().read(views.run(row.id()), since, limit, stream);
    var node = JsonNodeFactory.instance.objectNode().put(ShellTool.RUN_ID, row.id().value());
    RunViews.addItems(RunViews.add(node, since, page), page.items());
    services.noteRead(row, call, found.session());
    return ToolResult.of(node, text(page));
  }

  private RunChoice.Found find(ToolCall call, RequestFields fields) throws InterruptedException {
    return new RunChoice(services, views).find(call, fields);
  }

  private long since(RequestFields fields, TaskRow row) {
    var since = fields.integer(ShellTool.SINCE_SEQ, 0, Long.MAX_VALUE);
    if (since == null) {
      return 0;
    }
    var head = services.tasks().journal().lastSeq(StreamKey.of(row.id()));
    PastEnd.checkSeq(ShellTool.SINCE_SEQ, since, head);
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
