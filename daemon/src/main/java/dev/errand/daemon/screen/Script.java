package dev.errand.daemon.screen;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.Frame;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to a terminal between two frames of its task, as far as it can be seen. */
final class Script {
  private static final int FRAMES_AT_ONCE = 500;

  /** One thing that happened; the seq is that of its frame. */
  sealed interface Step {
    long seq();

    /** The stream has grown to this offset. */
    record Output(long seq, long upTo) implements Step {}

    record Resize(long seq, TerminalSize size) implements Step {}

    /** Another process begins, in a terminal of its own. */
    record Begin(long seq) implements Step {}
  }

  /** A range that a crash took. */
  record Lost(long from, long to) {}

  private final List<Step> steps = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private @Nullable TerminalSize firstSize;
  private long lastSeq;

  /** Of the frames after that one, none of which is read yet. */
  Script(long afterSeq) {
    lastSeq = afterSeq;
  }

  /** Reads some more frames; false while there are others up to {@code wanted}. */
  boolean readOn(Recording recording, TaskId taskId, long wanted) {
    var limit = (int) Math.min(FRAMES_AT_ONCE, wanted - lastSeq);
    var frames = limit <= 0 ? List.<Frame.OfTask>of() : recording.frames(taskId, lastSeq, limit);
    for (var frame : frames) {
      add(frame.head().seq(), frame.event());
    }
    return lastSeq >= wanted || frames.isEmpty();
  }

  /** What happened after that frame. */
  List<Step> stepsAfter(long seq) {
    var from = 0;
    var to = steps.size();
    while (from < to) {
      var middle = (from + to) >>> 1;
      if (steps.get(middle).seq() > seq) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return steps.subList(from, steps.size());
  }

  List<Lost> lost() {
    return lost;
  }

  /** The last frame that was read. */
  long lastSeq() {
    return lastSeq;
  }

  /** The size that the task requested; absent if its first frame was not read. */
  @Nullable TerminalSize firstSize() {
    return firstSize;
  }

  /** Where the stream ends by these frames; 0 if they have no output. */
  long end() {
    for (var i = steps.size() - 1; i >= 0; i--) {
      if (steps.get(i) instanceof Step.Output(var _, var upTo)) {
        return upTo;
      }
    }
    return 0;
  }

  private void add(long seq, TaskEvent event) {
    lastSeq = seq;
    switch (event) {
      case TaskEvent.Spawned(var spec) -> firstSize = sizeOf(spec);
      case TaskEvent.Attempted(var attempt, var _) -> {
        if (attempt > 1) {
          steps.add(new Step.Begin(seq));
        }
      }
      case TaskEvent.Output it -> {
        if (it.stream() == LogStream.PTY) {
          steps.add(new Step.Output(seq, it.offset() + it.bytes()));
        }
      }
      case TaskEvent.Resized it -> steps.add(new Step.Resize(seq, it.size()));
      case TaskEvent.OutputLost(var stream, var from, var to) -> {
        if (stream == LogStream.PTY) {
          lost.add(new Lost(from, to));
        }
      }
      case TaskEvent.Approved _,
          TaskEvent.Denied _,
          TaskEvent.Started _,
          TaskEvent.OutputMerged _,
          // Bytes that the cap took are missing in the log, also for earlier moments.
          TaskEvent.OutputGap _,
          TaskEvent.StdinWritten _,
          TaskEvent.Signalled _,
          TaskEvent.KillStepped _,
          TaskEvent.LimitPassed _,
          TaskEvent.CancelRequested _,
          TaskEvent.Requeued _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _,
          TaskEvent.WatcherHit _,
          TaskEvent.WatcherSilenced _,
          TaskEvent.BecameReady _,
          TaskEvent.PromptSeen _,
          TaskEvent.Ended _,
          TaskEvent.Unknown _ -> {}
    }
  }

  private static TerminalSize sizeOf(TaskSpec spec) {
    var size = spec.work().terminal();
    if (size == null) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "only a task with a terminal has a screen; this one has pipes: read its output");
    }
    return size;
  }
}
