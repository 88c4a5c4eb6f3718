package dev.errand.daemon.tool;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Time;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.verb.FindTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;

/** All that tools call. */
public record ToolServices(OfTasks tasks, OfOutput output, Verbs verbs, Time clock) {

  /** What is recorded of tasks. */
  public record OfTasks(Engine engine, Journal journal, Tasks tasks, TaskViews views) {}

  /** What tasks wrote, and who is told that a result was read. */
  public record OfOutput(LogStore logs, ResultReads reads) {}

  public ToolSpawns spawning() {
    return new ToolSpawns(verbs.tasks().spawn());
  }

  /** The task that an id or the beginning of one means to this call. */
  public ShownTask find(ToolCall call, String id) throws InterruptedException {
    return verbs.status().find().run(call.ask(), FindTask.Request.byId(id));
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
