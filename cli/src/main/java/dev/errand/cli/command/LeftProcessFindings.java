package dev.errand.cli.command;

import static java.util.stream.Collectors.joining;

import dev.errand.cli.render.ShortIds;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;

/** What {@code doctor} says of processes that live on beside their tasks. */
final class LeftProcessFindings {
  private static final int TASKS_SHOWN_MAX = 5;

  private LeftProcessFindings() {}

  static List<Finding> findings(JsonFields answer) {
    var escaped = new ArrayList<String>();
    var kept = new ArrayList<String>();
    for (var node : answer.node().path("processes")) {
      var process = new JsonFields(node);
      (process.text("kind", "").equals("kept") ? kept : escaped).add(line(process));
    }
    var findings = new ArrayList<Finding>();
    findings.add(
        escaped.isEmpty()
            ? Finding.ok("escaped", "no process has left its task")
            : Finding.warn(
                "escaped",
                "they took off their marks, and may be of any of the tasks named:" + list(escaped),
                "they are ended when the last of these tasks is over; errand doctor --end PID ends"
                    + " one now"));
    if (!kept.isEmpty()) {
      findings.add(
          new Finding(
              Finding.Level.OK,
              "kept",
              "they live on after the end of their task:" + list(kept),
              "errand cancel TASK ends all of a task, errand doctor --end PID ends one"));
    }
    return findings;
  }

  private static String list(List<String> lines) {
    return lines.stream().map(it -> "\n      " + it).collect(joining());
  }

  private static String line(JsonFields process) {
    var tasks = process.texts("task_ids");
    var shown =
        tasks.stream()
            .limit(TASKS_SHOWN_MAX)
            .map(it -> ShortIds.of(new TaskId(it)))
            .collect(joining(", "));
    var more = tasks.size() - TASKS_SHOWN_MAX;
    return "%d (%s), %s%s"
        .formatted(
            process.number("pid", 0),
            process.text("command", ""),
            tasks.isEmpty() ? "of no known task" : "task " + shown,
            more > 0 ? " and " + more + " more" : "");
  }
}
