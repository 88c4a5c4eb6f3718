package dev.errand.daemon.maintenance;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.output.LogStore;
import java.util.List;

/**
 * Deletes the logs of a task once its removal is committed; the next clean-up deletes its
 * artifacts.
 */
public final class LogRemoval implements CommitListener {
  private final LogStore logs;

  public LogRemoval(LogStore logs) {
    this.logs = logs;
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void removed(Snapshot last, TaskState.Ended state) {
    logs.delete(last.taskId());
  }
}
