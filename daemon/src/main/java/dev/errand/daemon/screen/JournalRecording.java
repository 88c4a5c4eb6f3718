package dev.errand.daemon.screen;

import dev.errand.core.frame.Frame;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import java.util.List;

/** The frames of the journal. */
final class JournalRecording implements Recording {
  private final Journal journal;
  private final FrameCodec codec;

  JournalRecording(Journal journal, FrameCodec codec) {
    this.journal = journal;
    this.codec = codec;
  }

  @Override
  public List<Frame.OfTask> frames(TaskId taskId, long afterSeq, int limit) {
    return journal.read(StreamKey.of(taskId), afterSeq, limit).stream()
        .map(codec::decodeTask)
        .toList();
  }

  @Override
  public long lastSeq(TaskId taskId) {
    return journal.lastSeq(StreamKey.of(taskId));
  }
}
