package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.Reach;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Connects a new task to others: to its parent, and to the tasks that it follows. */
public final class Relations {
  private final Engine engine;
  private final Journal journal;
  private final IntSupplier depthMax;

  public Relations(Engine engine, Journal journal, IntSupplier depthMax) {
    this.engine = engine;
    this.journal = journal;
    this.depthMax = depthMax;
  }

  /**
   * The same task as a child of the requester's own task; throws INVALID_REQUEST if that is not
   * possible.
   *
   * @param seen the session that the requester is limited to; null if it sees all
   */
  TaskSpec of(TaskSpec spec, Requester requester, @Nullable SessionId seen) {
    var plan = spec.plan();
    checkThere("after", plan.after(), seen);
    checkThere("after_any", plan.afterAny(), seen);
    var parent = requester.taskId();
    if (parent == null || !(engine.snapshot(parent).state() instanceof TaskState.Present above)) {
      return spec;
    }
    var its = above.facts().spec().plan();
    var depth = its.depth() + 1;
    var max = depthMax.getAsInt();
    if (depth > max) {
      throw invalid(
          ("this task would be at depth %d (the number of tasks above it), and max_depth allows %d;"
                  + " start it from a task that is higher up, or raise max_depth in [tasks] of"
                  + " config.toml")
              .formatted(depth, max));
    }
    return spec.planned(plan.below(parent, its));
  }

  /** The ids must exist already, so tasks that wait for each other cannot form a cycle. */
  private void checkThere(String field, List<TaskId> taskIds, @Nullable SessionId seen) {
    for (var taskId : taskIds) {
      var row = engine.row(taskId);
      if (row.filter(it -> seen == null || Reach.covers(journal, seen, it)).isEmpty()) {
        throw invalid(field + ": there is no task " + taskId + " to follow");
      }
    }
  }

  private static ErrandException invalid(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
