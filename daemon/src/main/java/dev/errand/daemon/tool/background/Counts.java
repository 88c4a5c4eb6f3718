package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.text.BackgroundStatus;
import dev.errand.daemon.tool.text.BackgroundText;
import dev.errand.daemon.verb.ShownTask;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** How many tasks stand how, in the words of these tools. */
final class Counts {
  private final Map<String, Integer> byWord = new LinkedHashMap<>();
  private int total;

  Counts() {
    BackgroundStatus.words().forEach(it -> byWord.put(it, 0));
    // Of conversations that go on; a command never does.
    byWord.remove(BackgroundStatus.RESUMED.word());
  }

  void add(ShownTask task) {
    byWord.merge(BackgroundStatus.of(task).word(), 1, Integer::sum);
    total++;
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
