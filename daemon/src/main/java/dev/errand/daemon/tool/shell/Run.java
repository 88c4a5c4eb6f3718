package dev.errand.daemon.tool.shell;

import dev.errand.core.task.Command;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.DecodedFrames;
import dev.errand.daemon.verb.OpenEvents;
import dev.errand.daemon.verb.OpenOutput;
import dev.errand.daemon.verb.TaskOutput;
import dev.errand.daemon.verb.Verbs;

/**
 * A task as the tool sees it: what was asked for, which never changes, and its record, opened for
 * one call.
 */
record Run(TaskId taskId, TaskSpec spec, DecodedFrames frames, TaskOutput output) {

  /** What a run shows of its output if nobody said otherwise. */
  static final long SHOWN_BYTES_DEFAULT = 1 << 20;

  static Run open(Verbs verbs, Ask ask, TaskId taskId) throws InterruptedException {
    var frames = verbs.events().open().run(ask, new OpenEvents.Request(taskId));
    var output = verbs.output().open().run(ask, new OpenOutput.Request(taskId));
    return new Run(taskId, frames.spec(), frames, output);
  }

  long shownBytesMax() {
    var own =
        switch (spec.work()) {
          case Command it -> it.io().shownBytesMax();
        };
    return own == null ? SHOWN_BYTES_DEFAULT : own;
  }
}
