package dev.errand.daemon.verb;

import dev.errand.core.task.BatchStatus;
import dev.errand.core.task.SessionId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The combined state of the tasks of a batch.
 *
 * @param total how many tasks it has
 * @param live how many of them are live
 * @param counts how many tasks have each status
 * @param tasks the newest of them
 */
public record BatchView(
    SessionId sessionId,
    String id,
    BatchStatus status,
    int total,
    int live,
    Map<String, Long> counts,
    List<ShownTask> tasks) {

  public BatchView {
    counts = new TreeMap<>(counts);
    tasks = List.copyOf(tasks);
  }

  public boolean isOver() {
    return live == 0;
  }

  public boolean hasEnded() {
    return live < total;
  }
}
