package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.WatchCondition;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Awaited;
import dev.errand.daemon.condition.AwaitedJson;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.condition.UntilReader;
import dev.errand.daemon.condition.WaitUntil;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Waits until a condition of a task is met, the task is over, or the time has passed. */
public final class WaitForTask extends Verb<WaitForTask.Request, WaitForTask.Answer> {

  /** The fields that name conditions. */
  public static final List<String> FIELDS = UntilReader.FIELDS;

  private final TaskViews views;
  private final ShownTasks tasks;
  private final Conditions conditions;
  private final ComputePool compute;
  private final ResultReads reads;

  public record Request(TaskId taskId, WaitUntil until, Duration timeout) implements OfTask {

    /** Reads the fields of a call; without a condition it waits for the end. */
    public static Request read(TaskId taskId, RequestFields fields, Duration timeout) {
      return new Request(taskId, UntilReader.read(fields), timeout);
    }

    /** For the end of the task. */
    public static Request forEnd(TaskId taskId, Duration timeout) {
      var end = new WaitUntil(List.of(new WatchCondition.Exit()), Map.of());
      return new Request(taskId, end, timeout);
    }

    /** For the end of the task, or until its terminal seems to wait for input. */
    public static Request forEndOrPrompt(TaskView task, Duration timeout) {
      var exit = new WatchCondition.Exit();
      var any =
          task.facts().work().hasTerminal()
              ? List.<WatchCondition>of(exit, new WatchCondition.Prompt())
              : List.<WatchCondition>of(exit);
      return new Request(task.id(), new WaitUntil(any, Map.of()), timeout);
    }
  }

  /** The task after the wait, and the result of the wait. */
  public static final class Answer {
    private final ShownTask task;
    private final Awaited awaited;

    private Answer(ShownTask task, Awaited awaited) {
      this.task = task;
      this.awaited = awaited;
    }

    public ShownTask task() {
      return task;
    }

    /** Adds {@code timed_out}, {@code ended}, {@code held} and, after a timeout, the progress. */
    public void describe(ObjectNode answer) {
      AwaitedJson.describe(answer, awaited, task.isOver() || task.view().isOver());
    }

    public String sentence() {
      return switch (awaited) {
        case Awaited.Holds(_, var held) -> held.sentence();
        case Awaited.Ended _ -> "It is over, and no condition was met.";
        case Awaited.TimedOut _ -> "The time has passed, and no condition is met yet.";
      };
    }
  }

  WaitForTask(Verbs.Parts parts) {
    super("wait_for_task", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.views = parts.work().views();
    this.tasks = parts.shownTasks();
    this.conditions = parts.output().conditions();
    this.compute = parts.output().compute();
    this.reads = parts.work().reads();
  }

  @Override
  Answer answer(Ask ask, Request request) throws InterruptedException {
    var taskId = request.taskId();
    views.mustExist(taskId);
    var awaited = await(ask, taskId, request);
    var row = views.rowOf(taskId);
    ask.tells(reads, row);
    return new Answer(tasks.of(row), awaited);
  }

  private Awaited await(Ask ask, TaskId taskId, Request request) throws InterruptedException {
    var share = ask.caller().share(compute);
    try (var _ = ask.slot()) {
      return conditions.await(share, taskId, request.until(), request.timeout());
    }
  }
}
