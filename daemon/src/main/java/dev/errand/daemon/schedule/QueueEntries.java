package dev.errand.daemon.schedule;

import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskFacts;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import java.time.Duration;
import java.util.Set;

/** Creates queue entries from tasks. */
final class QueueEntries {
  private final long stepMs;

  QueueEntries(Duration priorityStep) {
    this.stepMs = priorityStep.toMillis();
  }

  QueueEntry of(TaskId taskId, TaskFacts facts) {
    var entry = of(taskId, facts.spec(), facts.spawnedAtMs());
    // A task with an earlier attempt has met its conditions and must not wait for them again.
    return facts.attempts() == 0 ? entry : entry.unconditional();
  }

  QueueEntry of(TaskId taskId, TaskSpec spec, long spawnedAtMs) {
    var plan = spec.plan();
    return new QueueEntry(
        taskId,
        spec.work().kind(),
        spec.origin().sessionId(),
        plan.lane(),
        spawnedAtMs + stepMs * steps(plan.priority()),
        plan.quota(),
        plan.delay().isZero() ? 0 : spawnedAtMs + plan.delay().toMillis(),
        Set.copyOf(plan.after()),
        Set.copyOf(plan.afterAny()),
        plan.ancestors(),
        spec.origin().label());
  }

  private static int steps(Plan.Priority priority) {
    return switch (priority) {
      case HIGH -> 0;
      case NORMAL -> 1;
      case LOW -> 2;
    };
  }

  /**
   * Whether it leaves its lane and the quotas when it has run for a while: a running service that
   * does not say when it is ready.
   */
  static boolean isSettling(TaskState.Running state) {
    var spec = state.facts().spec();
    return spec.plan().service()
        && spec.watching().readyWhen() == null
        && !state.facts().watched().isReady();
  }

  /** A ready service no longer blocks other tasks. */
  static boolean isReadyService(TaskState state) {
    return state instanceof TaskState.Running it
        && it.facts().spec().plan().service()
        && it.facts().watched().isReady();
  }
}
