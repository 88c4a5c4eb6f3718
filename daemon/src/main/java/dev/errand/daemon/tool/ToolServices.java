package dev.errand.daemon.tool;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.verb.Verbs;

/** All that tools call. */
public record ToolServices(
    OfTasks tasks, OfOutput output, Verbs.OfTasks verbs, Verbs.OfOutput written, Time clock) {

  /** What is recorded of tasks. */
  public record OfTasks(Engine engine, Journal journal, Feed feed, Tasks tasks, TaskViews views) {}

  /** What tasks wrote, who is told that a result was read, and who waits. */
  public record OfOutput(
      LogStore logs,
      ResultReads reads,
      Conditions conditions,
      Screens screens,
      ComputePool compute) {}

  public ToolSpawns spawning() {
    return new ToolSpawns(verbs.spawn());
  }

  public TaskChoice choice() {
    return new TaskChoice(tasks, verbs.cancel());
  }

  /** Notes that the answer to this call has the result of this task, if it is over. */
  public void noteRead(TaskRow row, ToolCall call) {
    call.ask().tells(output.reads(), row);
  }

  /** The same where it is read for another session than that of the call. */
  public void noteRead(TaskRow row, ToolCall call, SessionId session) {
    call.ask().tells(output.reads(), row, session);
  }
}
