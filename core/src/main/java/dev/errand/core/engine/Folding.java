package dev.errand.core.engine;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.End;
import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import java.util.List;

/**
 * Folds the recorded frames of one task. If some of them are damaged, events that depend on a
 * damaged frame are skipped, and the view row, which is stored separately, supplies the start and
 * the end of the task.
 */
final class Folding {
  private static final int PAGE = 512;

  private final Journal journal;
  private final FrameCodec codec;
  private final TaskId taskId;
  private TaskState state = new TaskState.Absent();
  private boolean damaged;

  Folding(Journal journal, FrameCodec codec, TaskId taskId) {
    this.journal = journal;
    this.codec = codec;
    this.taskId = taskId;
  }

  Snapshot snapshot() {
    var seq = addUpTo(Long.MAX_VALUE);
    if (!(state instanceof TaskState.Ended)) {
      journal.row(taskId).ifPresent(this::compare);
    }
    return new Snapshot(taskId, state, seq);
  }

  /** The state according to the frames up to that seq; the current view row is not used. */
  Snapshot upTo(long seq) {
    var last = addUpTo(seq);
    return new Snapshot(taskId, state, last);
  }

  /** Returns the seq of the last frame added. */
  private long addUpTo(long last) {
    var seq = -1L;
    while (true) {
      var frames = journal.read(StreamKey.of(taskId), seq, PAGE);
      for (var frame : frames) {
        if (frame.seq() > last) {
          return seq;
        }
        add(frame);
        seq = frame.seq();
      }
      if (frames.size() < PAGE) {
        return seq;
      }
    }
  }

  private void add(EncodedFrame frame) {
    if (frame.damaged()) {
      damaged = true;
      if (state instanceof TaskState.Absent) {
        journal.row(taskId).ifPresent(this::begin);
      }
    } else if (damaged) {
      tryAdd(frame);
    } else {
      evolve(frame);
    }
  }

  private void evolve(EncodedFrame encoded) {
    var frame = codec.decodeTask(encoded);
    state = TaskFold.evolve(state, frame.event(), frame.head().timestampMs());
  }

  private void tryAdd(EncodedFrame frame) {
    try {
      evolve(frame);
    } catch (IllegalStateException | IllegalArgumentException _) {
      // It depends on a lost frame.
    }
  }

  /**
   * Uses the row where the frames have no start, or where only the row shows that the task is over.
   */
  private void compare(TaskRow row) {
    if (state instanceof TaskState.Absent) {
      begin(row);
    }
    var believed = damaged || row.foldVersion() != TaskRow.DAMAGED;
    if (believed && !row.active() && state instanceof TaskState.Live live) {
      var endedAtMs = row.lifetime().endedAtMs();
      state =
          new TaskState.Ended(
              live.facts(), new End.Corrupt(damagedFrom(), List.of(), List.of(), endedAtMs));
    }
  }

  private long damagedFrom() {
    return journal.damagedFrom(StreamKey.of(taskId)).orElse(journal.lastSeq(StreamKey.of(taskId)));
  }

  private void begin(TaskRow row) {
    var plan = Plan.remembered(row.batchId(), row.parent());
    // The row may be damaged too; its task is never run again, whatever its kind.
    var kind = TaskKind.ofWord(row.kind()).orElse(TaskKind.COMMAND);
    var spec = TaskSpec.unreadable(kind, row.sessionId(), row.label(), plan);
    state = TaskFold.unreadable(spec, row.lifetime().endedAtMs());
  }
}
