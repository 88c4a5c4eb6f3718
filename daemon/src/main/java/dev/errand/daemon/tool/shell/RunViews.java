package dev.errand.daemon.tool.shell;

import dev.errand.core.task.End;
import dev.errand.core.task.Exit;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.core.time.Time;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.tool.excerpt.JsonCost;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.excerpt.OutputReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.ReadTail;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.LeftoverText;
import dev.errand.wire.json.StatusWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs in the form in which the tool answers. */
final class RunViews {
  private static final int LEFT_CHARS_MAX = 1_500;

  private final Verbs verbs;
  private final RunItems items;
  private final OutputReader output;
  private final Time clock;

  RunViews(Verbs verbs, RunItems items, Time clock) {
    this.verbs = verbs;
    this.items = items;
    this.output = new OutputReader(verbs);
    this.clock = clock;
  }

  OutputReader output() {
    return output;
  }

  long ticks() {
    return clock.ticks();
  }

  static int cost(String text) {
    return JsonCost.of(text);
  }

  /** The call that reads the output from there on. */
  static String logCall(TaskView view, OutputCursor cursor) {
    return "shell(action: \"log\", run_id: \"%s\", cursor: \"%s\")"
        .formatted(view.id().brief(), cursor.text());
  }

  Run run(Ask ask, TaskId taskId) throws InterruptedException {
    return Run.open(verbs, ask, taskId);
  }

  RunItems items() {
    return items;
  }

  /** A run that was accepted, as it stood then. */
  static ObjectNode accepted(TaskView view, boolean background) {
    var facts = view.facts();
    return JsonNodeFactory.instance
        .objectNode()
        .put(ShellTool.RUN_ID, view.id().value())
        .put("session_id", facts.origin().sessionId().value())
        .put("status", RunStatus.QUEUED)
        .put("queued_at", time(facts.origin().createdAtMs()))
        .put("background", background)
        .put("pty", view.facts().work().hasTerminal());
  }

  /** The same in a line. */
  String acceptedLine(TaskView view) {
    var sheet = new TaskSheet(view);
    var waits = sheet.waitsForSomething() ? ", " + sheet.waitText(clock.millis()) : "";
    return "run " + sheet.name() + " " + RunStatus.QUEUED + waits;
  }

  /** All that is known of a run but its items. */
  ObjectNode head(ShownTask task, Run run) {
    var view = task.view();
    var facts = view.facts();
    var exit = view.exit();
    var end = view.end();
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put(ShellTool.RUN_ID, task.id().value())
            .put("session_id", task.sessionId().value())
            .put("status", RunStatus.of(view))
            .put("command", new TaskSheet(view).shortCommand())
            .put("exit_code", exit == null ? null : (Integer) exit.code())
            .put("output_bytes", view.bytesTotal())
            .put("truncated", isTruncated(run, view))
            .put("error_message", end == null ? null : errorMessage(end))
            .put("queued_at", time(facts.origin().createdAtMs()))
            .put("started_at", time(view.startedAtMs()))
            .put("finished_at", end == null ? null : time(end.atMs()))
            .put("updated_at", time(task.changedAtMs()));
    var attempts = facts.progress().attempts();
    node.put("attempt", attempts > 1 ? (Integer) attempts : null);
    node.setAll(JsonWriter.tree(out -> StatusWriter.waiting(out, view)));
    return leftovers(node, view);
  }

  /** What became of processes that outlived the run, where there were some. */
  static ObjectNode leftovers(ObjectNode node, TaskView view) {
    var end = view.end();
    if (end != null && !left(view.leftovers()).isEmpty()) {
      node.setAll(JsonWriter.tree(out -> EndJson.leftovers(out, end)));
      var survivors = node.putArray("survivors");
      EndJson.survivors(end).forEach(survivors::add);
    }
    return node;
  }

  /** The same in words; empty where there is nothing to tell. */
  static String left(Exit.Leftovers leftovers) {
    return PlainText.line(LeftoverText.of(leftovers), LEFT_CHARS_MAX);
  }

  /** By the bound of the run, or by the cap of its logs. */
  private boolean isTruncated(Run run, TaskView view) {
    return view.bytesTotal() > run.shownBytesMax()
        || view.facts().progress().logs().stream().anyMatch(TaskView.Log::truncated);
  }

  private static @Nullable String errorMessage(End end) {
    var error = EndJson.error(end);
    var message = EndJson.message(end);
    if (error != null) {
      return message == null || error.contains(message) ? error : error + ": " + message;
    }
    return message;
  }

  /** Nothing where it has not come yet. */
  static @Nullable String time(long atMs) {
    return atMs == 0 ? null : Instant.ofEpochMilli(atMs).toString();
  }

  /** The end of all that it wrote, whatever was read of it before. */
  String snippet(Ask ask, TaskId taskId) throws InterruptedException {
    var request = new ReadTail.Request(taskId, ReadTail.SNIPPET_CHARS);
    return verbs.output().tail().run(ask, request).text();
  }

  static ObjectNode add(ObjectNode node, RunItems.Page page) {
    node.put(ShellTool.SINCE_SEQ, page.since()).put("next_seq", page.nextSeq());
    return node;
  }

  static void addItems(ObjectNode node, List<RunItem> list) {
    var array = node.putArray("items");
    list.forEach(it -> array.add(it.json()));
  }

  /** The same of a run whose request is at hand. */
  String line(TaskView view, Run run) {
    return line(view)
        + (view.missedReadiness(run.spec())
            ? "; it never became ready: ready_when did not hold before its end"
            : "");
  }

  /** In a line: how it stands. */
  String line(TaskView view) {
    var sheet = new TaskSheet(view);
    var parts = new ArrayList<>(List.of("run " + sheet.name() + " " + state(sheet)));
    parts.addAll(List.of(left(view.leftovers()), sheet.dropped()));
    parts.removeIf(String::isEmpty);
    return String.join("; ", parts);
  }

  private String state(TaskSheet sheet) {
    var view = sheet.view();
    return switch (view) {
      case TaskView.Held _, TaskView.Queued _ ->
          RunStatus.QUEUED + ", " + sheet.waitText(clock.millis());
      case TaskView.Running _ -> sheet.state(clock.millis());
      case TaskView.Ended it -> {
        var exit = view.exit();
        var code = exit == null ? "" : ", exit code " + exit.code();
        var error = errorMessage(it.end());
        var why = it.end() instanceof End.Cancelled ? sheet.ending() : error;
        yield RunStatus.of(view) + code + (why == null ? "" : ", " + why);
      }
    };
  }
}
