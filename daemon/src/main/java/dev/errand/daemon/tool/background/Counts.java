package dev.errand.daemon.tool.background;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.text.BackgroundText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** How many tasks stand how, in the words of these tools. */
final class Counts {
  private final Map<String, Integer> byWord = new LinkedHashMap<>();
  private int total;

  Counts() {
    List.of("running", "completed", "error", "cancelled").forEach(it -> byWord.put(it, 0));
  }

  void add(TaskRow row) {
    byWord.merge(word(row), 1, Integer::sum);
    total++;
  }

  /** By the row alone: what is live need not be looked at more closely to be counted. */
  static String word(TaskRow row) {
    return switch (row.status()) {
      case QUEUED, RUNNING -> "running";
      case CANCELLED -> "cancelled";
      case EXITED, FAILED -> row.isSuccess() ? "completed" : "error";
    };
  }

  int total() {
    return total;
  }

  void write(ObjectNode answer) {
    answer.put("total", total);
    byWord.forEach(answer.putObject("counts")::put);
  }

  String text() {
    return BackgroundText.total(total, byWord);
  }
}
