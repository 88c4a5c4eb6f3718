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

/** Ties a new task to others: to the one that asks for it, and to those that it is to follow. */
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
   * The same task below the requester's own task; fails with INVALID_REQUEST where it cannot be.
   *
   * @param seen the session that the requester is kept to; null where it sees all
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
    var depth = its.depth();
    if (depth >= depthMax.getAsInt()) {
      throw invalid(
          "%d tasks stand above this one already, which is the limit (max_depth); start it from"
                  .formatted(depth + 1)
              + " a task higher up");
    }
    return spec.planned(plan.below(parent, its));
  }

  /** As ids must be there, no circle of tasks that wait for each other can come to be. */
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
