package dev.errand.daemon.tool.shell;

import dev.errand.core.error.PastEnd;
import dev.errand.daemon.tool.ReplyForm;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.text.LiveText;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.ReadEvents;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** How a run stands, and what it wrote. */
final class Looking {
  static final int LIMIT_MAX = 500;
  static final long WAIT_MS_MAX = 600_000;
  private static final int LIMIT_DEFAULT = 256;
  private static final int CURSOR_CHARS_MAX = 80;

  private final Verbs verbs;
  private final RunViews views;

  Looking(Verbs verbs, RunViews views) {
    this.verbs = verbs;
    this.views = views;
  }

  /** A run that is shown, and the call as it goes on. */
  private record Found(ShownTask task, Run run, Ask ask) {}

  /**
   * How a run stands: with a cursor what is new since then, without one the end of its output. Can
   * wait until something is new.
   */
  ToolResult poll(ToolCall call, RequestFields fields) throws InterruptedException {
    var wanted = wanted(call.form(), fields);
    var wait = fields.integer(ShellTool.WAIT_MS, 0, WAIT_MS_MAX);
    var found = find(call, fields);
    var since = since(fields, found.run());
    if (wait != null && wait > 0) {
      var from = since == null ? found.run().frames().lastSeq() : since;
      found = awaited(found, from, wanted, Duration.ofMillis(wait));
    }
    var task = found.task();
    // Made before the items, so that they are complete where it says that the run is over.
    var node = views.head(task, found.run());
    node.setAll(JsonWriter.tree(task::writeLive));
    var line = joined(views.line(task.view(), found.run()), LiveText.of(task));
    if (since == null) {
      var lastSeq = found.run().frames().lastSeq();
      var snippet = views.snippet(found.ask(), task.id());
      node.put(ShellTool.SINCE_SEQ, lastSeq).put("next_seq", lastSeq).put("snippet", snippet);
      return ToolResult.of(node, joined(line, snippet, next(task, lastSeq)));
    }
    var page = views.items().read(found.run(), since, wanted);
    RunViews.addItems(RunViews.add(node, page), page.items());
    var more = page.nextSeq() < found.run().frames().lastSeq();
    var next = more ? follow(task, page.nextSeq()) : next(task, page.nextSeq());
    return ToolResult.of(node, joined(line, text(page.items()), next));
  }

  /** The run when something is new after that number, it is over, or the time has passed. */
  private Found awaited(Found found, long since, RunItems.Wanted wanted, Duration patience)
      throws InterruptedException {
    var now = found;
    var left = patience;
    var seen = since;
    while (!now.task().isOver() && left.isPositive()) {
      var page = views.items().read(now.run(), seen, wanted);
      if (!page.items().isEmpty()) {
        return now;
      }
      if (page.nextSeq() > seen) {
        // Frames that make no item; there may be more to look through.
        seen = page.nextSeq();
        continue;
      }
      var began = views.ticks();
      var request = new ReadEvents.Request(now.task().id(), seen, 1, left);
      var _ = verbs.events().read().run(now.ask(), request);
      left = left.minusNanos(views.ticks() - began);
      now = shown(now.ask(), now.task());
    }
    return now;
  }

  private static String next(ShownTask task, long seq) {
    return task.isOver()
        ? "[over; all output: %s]"
            .formatted(RunViews.logCall(task.view(), OutputCursor.start(task.view())))
        : follow(task, seq);
  }

  private static String follow(ShownTask task, long seq) {
    return "[what follows: shell(action: \"poll\", run_id: \"%s\", since_seq: %d, wait_ms: 30000)]"
        .formatted(task.id().brief(), seq);
  }

  /** What a run wrote and what happened to it: its end, or what follows a cursor. */
  ToolResult log(ToolCall call, RequestFields fields) throws InterruptedException {
    var wanted = wanted(call.form(), fields);
    var found = find(call, fields);
    var cursor = fields.text(ShellTool.CURSOR, CURSOR_CHARS_MAX);
    if (cursor != null) {
      refuseWith(fields, List.of(ShellTool.SINCE_SEQ, ShellTool.STREAM, ShellTool.LIMIT));
      return after(call, found, cursor);
    }
    var since = since(fields, found.run());
    var page =
        since == null
            ? views.items().last(found.run(), wanted)
            : views.items().read(found.run(), since, wanted);
    var id = found.task().id().value();
    var node = JsonNodeFactory.instance.objectNode().put(ShellTool.RUN_ID, id);
    RunViews.addItems(RunViews.add(node, page), page.items());
    var shortId = found.task().id().brief();
    var before =
        since != null || page.since() == 0
            ? ""
            : "[the end; from the start: shell(action: \"log\", run_id: \"%s\", since_seq: 0)]"
                .formatted(shortId);
    var more = page.nextSeq() < found.run().frames().lastSeq() || !found.task().isOver();
    var on =
        more
            ? "[what follows: shell(action: \"log\", run_id: \"%s\", since_seq: %d)]"
                .formatted(shortId, page.nextSeq())
            : "";
    return ToolResult.of(node, joined(before, text(page.items()), on));
  }

  private static void refuseWith(RequestFields fields, List<String> names) {
    for (var name : names) {
      if (fields.has(name)) {
        throw RequestFields.invalid(name + " has no meaning with cursor; leave one of them out");
      }
    }
  }

  /** The exact output after a cursor, without events. */
  private ToolResult after(ToolCall call, Found found, String given) throws InterruptedException {
    var view = found.task().view();
    var cursor = OutputCursor.read(given, view);
    var room = call.form().outputChars();
    var part = views.output().after(found.ask(), view, cursor, room);
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put(ShellTool.RUN_ID, found.task().id().value())
            .put("output", part.text())
            .put(ShellTool.CURSOR, part.next().text())
            .put("more", part.more());
    var on =
        part.more() || !view.isOver()
            ? "[%s: %s]"
                .formatted(
                    part.more() ? "more" : "so far; what follows",
                    RunViews.logCall(view, part.next()))
            : "";
    return ToolResult.of(node, joined(views.line(view), part.text(), on));
  }

  private Found find(ToolCall call, RequestFields fields) throws InterruptedException {
    var found = new RunChoice(verbs).find(call, fields);
    return shown(found.ask(), found.task());
  }

  private Found shown(Ask ask, ShownTask found) throws InterruptedException {
    var task = verbs.status().show().run(ask, new ShowTask.Request(found.id()));
    return new Found(task, views.run(ask, task.id()), ask);
  }

  private static @Nullable Long since(RequestFields fields, Run run) {
    var since = fields.integer(ShellTool.SINCE_SEQ, 0, Long.MAX_VALUE);
    if (since != null) {
      PastEnd.checkSeq(ShellTool.SINCE_SEQ, since, run.frames().lastSeq());
    }
    return since;
  }

  private static RunItems.Wanted wanted(ReplyForm form, RequestFields fields) {
    var stream = fields.word(ShellTool.STREAM, List.of(RunItem.STDOUT, RunItem.STDERR));
    var limit = fields.integer(ShellTool.LIMIT, 1, Integer.MAX_VALUE);
    var most = limit == null ? LIMIT_DEFAULT : (int) Math.min(limit, LIMIT_MAX);
    return new RunItems.Wanted(most, form.outputChars(), stream);
  }

  /** Parts that are not empty, each on a line of its own. */
  static String joined(String... parts) {
    var text = new StringBuilder();
    for (var part : parts) {
      if (!part.isEmpty() && !text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
      text.append(part);
    }
    return text.toString();
  }

  /** What was written, and what happened in square brackets. */
  static String text(List<RunItem> items) {
    var text = new StringBuilder();
    for (var item : items) {
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
