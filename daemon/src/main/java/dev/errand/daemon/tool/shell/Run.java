package dev.errand.daemon.tool.shell;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.Command;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;

/** A task as the tool sees it: what was asked for never changes. */
record Run(TaskId taskId, TaskSpec spec) {

  /** What a run shows of its output if nobody said otherwise. */
  static final long SHOWN_BYTES_DEFAULT = 1 << 20;

  /** From its first frame, so that a run that has long ended need not be folded. */
  static Run of(TaskId taskId, Journal journal, FrameCodec codec) {
    var frames = journal.read(StreamKey.of(taskId), -1, 1);
    if (!frames.isEmpty()
        && codec.decodeTask(frames.getFirst()).event() instanceof TaskEvent.Spawned(var spec)) {
      return new Run(taskId, spec);
    }
    throw new ErrandException(
        ErrorCode.RECORD_DAMAGED,
        "what was asked for by task " + taskId + " cannot be read any more");
  }

  long shownBytesMax() {
    var own =
        switch (spec.work()) {
          case Command it -> it.io().shownBytesMax();
        };
    return own == null ? SHOWN_BYTES_DEFAULT : own;
  }
}
