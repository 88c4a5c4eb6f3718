package dev.errand.wire.json;

import dev.errand.core.task.Command;
import dev.errand.core.task.End;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Plan;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.WatchProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the status object that {@link StatusWriter} wrote. */
final class StatusReader {

  private StatusReader() {}

  static TaskView read(JsonFields in) {
    var facts = facts(in);
    var startedAtMs = in.number("started_at_ms", 0);
    var word = in.text("status");
    return switch (word(word)) {
      case QUEUED ->
          in.has("waiting_for")
              ? new TaskView.Held(facts, in.object("waiting_for").number("until_ms", 0))
              : new TaskView.Queued(facts, place(in));
      case RUNNING -> running(in, facts, startedAtMs);
      case EXITED, FAILED, CANCELLED -> new TaskView.Ended(facts, startedAtMs, end(in, word));
    };
  }

  private static TaskView running(JsonFields in, TaskView.Facts facts, long startedAtMs) {
    return switch (facts.work()) {
      case TaskView.OfCommand _ ->
          new TaskView.Running(facts, startedAtMs, in.number("pid", 0), prompt(in));
    };
  }

  private static StatusWord word(String word) {
    return StatusWord.ofWord(word)
        .orElseThrow(() -> new IllegalArgumentException("unknown status '" + word + "'"));
  }

  private static End end(JsonFields in, String word) {
    var end = EndJson.read(in, word);
    if (end == null) {
      throw new IllegalArgumentException("'" + word + "' is not the status of a task that is over");
    }
    return end;
  }

  private static TaskView.Facts facts(JsonFields in) {
    var taskId = new TaskId(in.text("task_id"));
    return new TaskView.Facts(
        taskId,
        new TaskView.Origin(
            new SessionId(in.text("session_id")),
            in.textOrNull("label"),
            in.textOrNull("title"),
            in.number("created_at_ms", 0),
            RulingJson.read(in)),
        work(in),
        grouping(in),
        progress(in),
        findings(in));
  }

  private static TaskView.Work work(JsonFields in) {
    return switch (SpecJson.kind(in)) {
      case COMMAND ->
          new TaskView.OfCommand(
              in.text("tool", ""),
              in.text("command", ""),
              in.text("cwd", ""),
              EnumWords.of(Command.ExecutionMode.class, in.text("execution_mode", "pipes")),
              in.bool("stdin", false),
              EnumWords.of(Command.OnRestart.class, in.text("on_restart", "lost")),
              in.has("rows") ? SpecJson.size(in) : null);
    };
  }

  private static TaskView.Grouping grouping(JsonFields in) {
    var parent = in.textOrNull("parent_task_id");
    return new TaskView.Grouping(
        in.textOrNull("lane"),
        EnumWords.of(Plan.Priority.class, in.text("priority", "normal")),
        in.textOrNull("batch_id"),
        parent == null ? null : new TaskId(parent),
        in.bool("service", false));
  }

  private static TaskView.Progress progress(JsonFields in) {
    return new TaskView.Progress(
        Math.toIntExact(in.number("attempt", 0)),
        lastSeq(in),
        logs(in),
        cancel(in),
        in.number("ready_at_ms", 0));
  }

  static long lastSeq(JsonFields in) {
    return in.number("last_seq", -1);
  }

  private static List<TaskView.Log> logs(JsonFields in) {
    var all = in.object("artifacts").object("logs");
    var logs = new ArrayList<TaskView.Log>();
    for (var name : all.node().propertyNames()) {
      var log = all.object(name);
      logs.add(
          new TaskView.Log(
              EnumWords.of(LogStream.class, name),
              log.number("bytes_total", 0),
              log.number("bytes_stored", 0),
              log.textOrNull("artifact_id")));
    }
    return logs;
  }

  private static TaskState.@Nullable CancelRequest cancel(JsonFields in) {
    if (!in.has("cancel_requested")) {
      return null;
    }
    var cancel = in.object("cancel_requested");
    return new TaskState.CancelRequest(cancel.text("reason", "cancel"), cancel.text("by", ""));
  }

  private static @Nullable QueuePlace place(JsonFields in) {
    if (!in.has("queue")) {
      return null;
    }
    var queue = in.object("queue");
    var behind = queue.textOrNull("behind");
    return new QueuePlace(
        Math.toIntExact(queue.number("position", 0)),
        EnumWords.of(QueuePlace.Reason.class, queue.text("reason")),
        behind == null ? null : new TaskId(behind),
        queue.number("until_ms", 0),
        queue.has("ahead") ? ahead(queue.object("ahead")) : QueuePlace.Ahead.NOTHING);
  }

  private static QueuePlace.Ahead ahead(JsonFields in) {
    var labels = new HashMap<TaskId, String>();
    in.textMap("labels").forEach((task, label) -> labels.put(new TaskId(task), label));
    return new QueuePlace.Ahead(
        Math.toIntExact(in.number("count", 0)),
        Math.toIntExact(in.number("limit", 0)),
        in.texts("tasks").stream().map(TaskId::new).toList(),
        Math.toIntExact(in.number("more", 0)),
        labels);
  }

  private static WatchProgress.@Nullable Prompt prompt(JsonFields in) {
    if (!in.has("prompt")) {
      return null;
    }
    var prompt = in.object("prompt");
    return new WatchProgress.Prompt(
        prompt.text("text", ""), prompt.text("confidence", ""), prompt.number("since_ms", 0));
  }

  private static TaskView.Findings findings(JsonFields in) {
    var escaped =
        in.objects("escaped").stream()
            .map(it -> new TaskView.EscapedProcess(it.number("pid", 0), it.text("name", "")))
            .toList();
    // Of an end as corrupt the frame is a part of the end itself.
    var isCorrupt = "corrupt".equals(in.textOrNull("error"));
    return new TaskView.Findings(isCorrupt ? null : in.numberOrNull("corrupt_from"), escaped);
  }
}
