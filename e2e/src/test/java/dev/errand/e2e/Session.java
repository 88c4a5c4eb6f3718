package dev.errand.e2e;

import java.util.ArrayList;
import java.util.List;

/** A terminal session as a document shows it: what was typed behind {@code $}, and the answers. */
record Session(List<Step> steps) {
  private static final String FENCE = "```";
  private static final String PROMPT = "$ ";

  /** One line that was typed, and all that was printed until the next prompt. */
  record Step(String typed, String printed) {
    @Override
    public String toString() {
      return typed;
    }
  }

  /** All sessions of a document, one after the other. */
  static Session of(String document) {
    var steps = new ArrayList<Step>();
    var inside = false;
    for (var line : document.lines().toList()) {
      if (line.startsWith(FENCE)) {
        inside = !inside && line.equals(FENCE + "console");
      } else if (inside && line.startsWith(PROMPT)) {
        steps.add(new Step(line.substring(PROMPT.length()), ""));
      } else if (inside) {
        var last = steps.removeLast();
        steps.add(new Step(last.typed(), last.printed() + line + "\n"));
      }
    }
    return new Session(List.copyOf(steps));
  }

  /**
   * The text without what differs each time: ids, builds, pids, clock times and durations. Lines of
   * clock times count as one: how many a task has written by then depends on the machine.
   */
  static String masked(String text) {
    return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4}){2}-[0-9a-f]{12}", "ID")
        .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}", "ID")
        .replaceAll("build ([0-9a-f]{16}|unknown)", "build B")
        .replaceAll("pid \\d+", "pid P")
        .replaceAll("\\b\\d\\d:\\d\\d:\\d\\d\\b", "TIME")
        .replaceAll("(TIME\\n)+", "TIME\n")
        .replaceAll("\\b\\d+(\\.\\d+)?(ms|s|m)\\b", "DURATION")
        .replaceAll("[ \\t]+", " ")
        .strip();
  }
}
