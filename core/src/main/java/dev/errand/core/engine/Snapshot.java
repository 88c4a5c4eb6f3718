package dev.errand.core.engine;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.PendingOutput;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.util.EnumMap;
import java.util.Map;

/**
 * A task as it stands after its frame {@code lastSeq}; -1 where it has none.
 *
 * @param pending output that is stored but not covered by these frames
 */
public record Snapshot(TaskId taskId, TaskState state, long lastSeq, PendingOutput pending) {

  public Snapshot(TaskId taskId, TaskState state, long lastSeq) {
    this(taskId, state, lastSeq, PendingOutput.NONE);
  }

  /** The readable length of each log of the task, with output not yet covered by frames. */
  public Map<LogStream, Long> logEnds() {
    var ends = new EnumMap<LogStream, Long>(LogStream.class);
    if (state instanceof TaskState.Present it) {
      for (var log : it.facts().logs().list()) {
        ends.put(log.stream(), pending.end(log.stream(), log.bytesTotal()));
      }
    }
    return ends;
  }
}
