package dev.errand.daemon.tool;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.verb.AcceptedTask;
import dev.errand.daemon.verb.FindTask;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.daemon.verb.Verbs;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The way from a tool to a new task: it takes one of its session's places for such tasks. */
public final class ToolSpawns {
  private final SpawnTask spawn;
  private final FindTask find;

  public ToolSpawns(Verbs verbs) {
    this.spawn = verbs.tasks().spawn();
    this.find = verbs.status().find();
  }

  /**
   * What a call wants to be started, made from its arguments. That these cannot be read is recorded
   * as every other refusal of a task.
   */
  public <T extends @Nullable Object> T wanted(ToolCall call, String tool, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (ErrandException e) {
      spawn.unread(call.caller(), call.session(), tool, e);
      throw e;
    }
  }

  /** The task as it was accepted; a repeat of the call finds the same one. */
  public AcceptedTask spawn(ToolCall call, JsonNode body) throws InterruptedException {
    return spawn(call, body, UnaryOperator.identity());
  }

  /** The same, fitted in by the tool before the policy judges it. */
  public AcceptedTask spawn(ToolCall call, JsonNode body, UnaryOperator<TaskSpec> fitted)
      throws InterruptedException {
    var seen = call.caller().isOwner() ? null : call.session();
    var request =
        new SpawnTask.Request(
            body,
            call.session(),
            seen,
            call.options().folder(),
            spec -> fitted.apply(spec.planned(spec.plan().counted())));
    return spawn.run(call.ask(), request);
  }

  /** The task with its place in the queue, if it has to wait for one. */
  public TaskView placed(ToolCall call, AcceptedTask task) throws InterruptedException {
    if (!(task.view() instanceof TaskView.Queued)) {
      return task.view();
    }
    var now = find.byId(call.ask(), task.id().value()).view();
    return now instanceof TaskView.Queued ? now : task.view();
  }

  /** A line on the folder where nobody has named one; else empty. */
  public static String folderNote(AcceptedTask task) {
    return switch (task.cwdFrom()) {
      case HOME -> "Folder: your home, since neither the call nor its session names one; give cwd.";
      case CALLER, TOOL, SESSION -> "";
    };
  }

  /** The call does not wait for this task any more, so it takes a place of its session. */
  public void callEnded(TaskId taskId) {
    spawn.callEnded(taskId);
  }
}
