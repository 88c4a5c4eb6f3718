package dev.errand.core.engine;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;

/** View rows, folded from states. */
final class Rows {

  private Rows() {}

  static SessionId sessionOf(TaskState.Present state) {
    return state.facts().spec().origin().sessionId();
  }

  /** Whether the stored row changes. Output changes no row: lists read live tasks from memory. */
  static boolean differ(TaskState before, TaskState after) {
    if (!(after instanceof TaskState.Present now)) {
      return false;
    }
    return !(before instanceof TaskState.Present then)
        || !then.getClass().equals(now.getClass())
        || (then.facts().cancel() == null) != (now.facts().cancel() == null);
  }

  static TaskRow of(Snapshot snapshot, FrameCodec codec) {
    if (!(snapshot.state() instanceof TaskState.Present state)) {
      throw new IllegalStateException("an absent task has no row");
    }
    var spec = state.facts().spec();
    var origin = spec.origin();
    return new TaskRow(
        snapshot.taskId(),
        origin.sessionId(),
        origin.label(),
        spec.work().kind().word(),
        StatusWord.of(state),
        state instanceof TaskState.Live,
        lifetime(state),
        TaskFold.VERSION,
        codec.status(TaskView.of(snapshot.taskId(), state, snapshot.lastSeq())),
        spec.plan().batchId(),
        spec.plan().parent(),
        outcome(state));
  }

  private static TaskRow.Outcome outcome(TaskState.Present state) {
    var exit = state instanceof TaskState.Ended it ? it.end().exit() : null;
    return new TaskRow.Outcome(exit == null ? null : exit.code(), state.facts().cancel() != null);
  }

  private static TaskRow.Lifetime lifetime(TaskState.Present state) {
    return switch (state) {
      case TaskState.Live _ -> TaskRow.Lifetime.LIVE;
      case TaskState.Ended it ->
          new TaskRow.Lifetime(it.end().atMs(), 0, it.facts().logs().bytesStored());
    };
  }
}
