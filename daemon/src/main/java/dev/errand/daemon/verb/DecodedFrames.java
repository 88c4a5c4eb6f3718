package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.Frame;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import java.util.List;

/** The recorded frames of one task, decoded. */
public final class DecodedFrames {
  private final Journal journal;
  private final FrameCodec codec;
  private final TaskId taskId;

  DecodedFrames(Journal journal, FrameCodec codec, TaskId taskId) {
    this.journal = journal;
    this.codec = codec;
    this.taskId = taskId;
  }

  /** Up to {@code max} frames after this one, in order; -1 means before the first. */
  public List<Frame.OfTask> read(long after, int max) {
    return journal.read(StreamKey.of(taskId), after, max).stream().map(codec::decodeTask).toList();
  }

  /** The number of the newest frame. */
  public long lastSeq() {
    return journal.lastSeq(StreamKey.of(taskId));
  }

  /** The request, read from the first frame, so that nothing has to be folded. */
  public TaskSpec spec() {
    var first = read(-1, 1);
    if (!first.isEmpty() && first.getFirst().event() instanceof TaskEvent.Spawned(var spec)) {
      return spec;
    }
    throw new ErrandException(
        ErrorCode.RECORD_DAMAGED,
        "what was asked for by task " + taskId + " cannot be read any more");
  }
}
