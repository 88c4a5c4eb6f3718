package dev.errand.cli.command;

import static java.util.stream.Collectors.joining;

import dev.errand.cli.render.ShortIds;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of {@code doctor} about processes that escaped from their tasks or outlived them.
 */
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
                "they removed their marks, and may belong to any of the named tasks:"
                    + list(escaped),
                "they are ended with the last of these tasks; errand doctor --end PID ends"
                    + " one now"));
    if (!kept.isEmpty()) {
      findings.add(
          new Finding(
              Finding.Level.OK,
              "kept",
              "they were kept after the end of their task:" + list(kept),
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
