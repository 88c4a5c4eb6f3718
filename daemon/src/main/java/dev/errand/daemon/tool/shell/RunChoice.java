package dev.errand.daemon.tool.shell;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.wire.json.RequestFields;
import java.util.Optional;

/**
 * Finds the run that a call means, in the session of the call. The session is named when a run is
 * spawned and need not be named again: who belongs to no session finds his own runs by their ids.
 */
final class RunChoice {
  private final ToolServices services;
  private final RunViews views;

  RunChoice(ToolServices services, RunViews views) {
    this.services = services;
    this.views = views;
  }

  /** A run, and the session for which it is looked at. */
  record Found(TaskRow row, SessionId session) {}

  /** What is found by its id alone is looked at for its session, as if that had been named. */
  Found find(ToolCall call, RequestFields fields) throws InterruptedException {
    var id = fields.requiredText(ShellTool.RUN_ID, 64);
    var own = own(call, id);
    if (own.isPresent()) {
      return new Found(own.get(), own.get().sessionId());
    }
    var found = services.find(call, id);
    return new Found(services.tasks().views().rowOf(found.id()), call.session());
  }

  /** The same, for a call that lays hands on it. */
  TaskRow toControl(ToolCall call, RequestFields fields) throws InterruptedException {
    var row = find(call, fields).row();
    services.verbs().tasks().cancel().check(call.ask(), row.id().value());
    return row;
  }

  private Optional<TaskRow> own(ToolCall call, String id) {
    if (call.caller().isKept() || call.arguments().hasNonNull(Schema.SESSION_ID)) {
      return Optional.empty();
    }
    try {
      return started(call.caller().principal(), new TaskId(id));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Optional<TaskRow> started(String by, TaskId taskId) {
    var tasks = services.tasks();
    if (tasks.journal().tombstone(taskId).filter(it -> by.equals(it.spawnedBy())).isPresent()) {
      // Of one that was removed, the view says when, and why.
      return Optional.of(tasks.views().rowOf(taskId));
    }
    return tasks
        .journal()
        .row(taskId)
        .filter(it -> views.run(it.id()).spec().origin().by().equals(by));
  }
}
