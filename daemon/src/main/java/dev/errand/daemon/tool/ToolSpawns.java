package dev.errand.daemon.tool;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskSpec;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The way from a tool to a new task: it takes one of its session's places for such tasks. */
public final class ToolSpawns {
  private final ToolServices.OfTasks tasks;

  ToolSpawns(ToolServices.OfTasks tasks) {
    this.tasks = tasks;
  }

  /**
   * What a call wants to be started, made from its arguments. That these cannot be read is recorded
   * as every other refusal of a task.
   */
  public <T extends @Nullable Object> T wanted(ToolCall call, String tool, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (ErrandException e) {
      tasks.spawns().rejected(call.session(), tool, e, call.caller());
      throw e;
    }
  }

  /** The task as it was accepted; a refusal is thrown. A repeat of the call is answered so. */
  public Snapshot spawn(ToolCall call, JsonNode body, Function<Snapshot, ToolResult> answer) {
    return spawn(call, body, UnaryOperator.identity(), answer);
  }

  /** The same, changed before the policy judges it. */
  public Snapshot spawn(
      ToolCall call,
      JsonNode body,
      UnaryOperator<TaskSpec> change,
      Function<Snapshot, ToolResult> answer) {
    var caller = call.caller();
    var seen = caller.isOwner() ? null : call.session();
    var prepared = tasks.spawns().prepare(body, caller, call.session(), seen);
    var spec = prepared.spec();
    var counted = change.apply(spec.planned(spec.plan().counted()));
    return tasks
        .spawns()
        .spawn(counted, caller.profile(), prepared.request(), call.channel().guard(answer))
        .orThrow();
  }
}
