package dev.errand.daemon.verb;

import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.TaskId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Lets a change happen once. */
final class Once<A> {
  private final KeyedCall<Done<A>> call;

  Once(KeyedCall<Done<A>> call) {
    this.call = call;
  }

  /** Does something that commits its outcome with its effect; a refusal is thrown. */
  Snapshot submit(
      Function<@Nullable IdempotentReply, Outcome> action,
      Function<Snapshot, ObjectNode> remembered) {
    return action.apply(call.guard(it -> OutcomeForm.answered(remembered.apply(it)))).orThrow();
  }

  /** The outcome is kept at least as long as this task. */
  void concerns(TaskId taskId) {
    call.concerns(taskId);
  }

  /** The id of the operation for the host, which answers a repeat from its own record. */
  String opId() {
    return call.opId();
  }
}
