package dev.errand.daemon.tool.shell;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WriteStdin;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.terminal.KeyNames;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** What is done to a run. */
final class Handling {
  private final Verbs verbs;
  private final RunViews views;

  Handling(Verbs verbs, RunViews views) {
    this.verbs = verbs;
    this.views = views;
  }

  /** Answers when the cancel is recorded and the first signal is sent. */
  ToolResult kill(ToolCall call, RequestFields fields) throws InterruptedException {
    var cancel = verbs.tasks().cancel();
    var found = new RunChoice(verbs).toControl(call, fields, cancel);
    var taskId = found.task().id();
    cancel.run(found.ask(), new CancelTask.Request(taskId, "killed by the tool shell"));
    var task = now(found);
    var view = task.view();
    var end = view.end();
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put(ShellTool.RUN_ID, taskId.value())
            .put("status", RunStatus.of(view))
            .put("finished_at", end == null ? null : RunViews.time(end.atMs()))
            .put("updated_at", RunViews.time(task.changedAtMs()));
    RunViews.leftovers(node, view);
    if (!view.isOver()) {
      node.put("note", "its end is asked for; poll it until it is over");
    }
    var next =
        view.isOver()
            ? ""
            : "poll until it is over: shell(action: \"poll\", run_id: \"%s\")"
                .formatted(taskId.brief());
    return ToolResult.of(node, Looking.joined(views.line(view), next));
  }

  ToolResult sendKeys(ToolCall call, RequestFields fields) throws InterruptedException {
    var stdin = verbs.tasks().stdin();
    var found = new RunChoice(verbs).toControl(call, fields, stdin);
    var taskId = found.task().id();
    if (!found.task().view().facts().work().hasTerminal()) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "send_keys types at a terminal, and this run has none; spawn it with pty: true");
    }
    var request = WriteStdin.Request.typed(taskId, keys(fields));
    var written = stdin.run(found.ask(), request).bytes();
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put(ShellTool.RUN_ID, taskId.value())
            .put("status", RunStatus.of(now(found).view()))
            .put("bytes_written", written);
    return ToolResult.of(
        node,
        "typed %d bytes at run %s; shell(action: \"poll\", run_id: \"%s\") shows what follows"
            .formatted(written, new TaskSheet(found.task().view()).name(), taskId.brief()));
  }

  /** The run as it stands after what was done to it; none of its output is told. */
  private ShownTask now(RunChoice.Found found) throws InterruptedException {
    return verbs.status().find().byId(found.ask(), found.task().id().value());
  }

  private static byte[] keys(RequestFields fields) {
    var raw = fields.raw(ShellTool.KEYS);
    var names = raw.isString() ? List.of(raw.stringValue()) : fields.texts(ShellTool.KEYS);
    var bytes = new ByteArrayOutputStream();
    for (var name : names) {
      // As in tmux: what is not the name of a key is typed as it stands.
      bytes.writeBytes(KeyNames.bytes(name).orElseGet(() -> name.getBytes(StandardCharsets.UTF_8)));
    }
    if (bytes.size() == 0 || bytes.size() > HttpBounds.STDIN_BYTES_MAX) {
      throw RequestFields.invalid(
          "keys make "
              + bytes.size()
              + " bytes; one call types 1 to "
              + HttpBounds.STDIN_BYTES_MAX);
    }
    return bytes.toByteArray();
  }
}
