package dev.errand.core.engine;

import dev.errand.core.frame.Frame;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Append;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.session.Notices;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.PacedDecider;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskFold;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns events into frames and adds them to a batch, with the rows, links and notices they cause.
 */
final class Framing {
  private final FrameCodec codec;
  private final Ids ids;
  private final InstantSource clock;

  Framing(FrameCodec codec, Ids ids, InstantSource clock) {
    this.codec = codec;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * The states before and after, the frames between them, and the notices of these.
   *
   * @param fleeting whether a crash of the machine makes all of it obsolete: a start of a process,
   *     or its output
   */
  record Change(
      Snapshot before,
      Snapshot after,
      List<EncodedFrame> frames,
      List<Notice> notices,
      boolean fleeting) {}

  FrameCodec codec() {
    return codec;
  }

  /** Puts the frames of these events, and the view row if it changes, into the batch. */
  Change change(Snapshot before, PacedDecider decided, Batch.Builder batch) {
    var events = decided.events();
    var taskId = before.taskId();
    var state = before.state();
    var seq = before.lastSeq();
    var frames = new ArrayList<EncodedFrame>(events.size());
    var notices = new ArrayList<Notice>(1);
    for (var event : events) {
      seq++;
      var at = clock.millis();
      var next = TaskFold.evolve(state, event, at);
      var head = new Frame.Head(ids.next(), Rows.sessionOf(next), seq, at);
      frames.add(codec.encode(new Frame.OfTask(head, taskId, event), next));
      if (Notices.answers(state, next)) {
        batch.inbox(new InboxChange.Withdrawn(taskId, Notice.Kind.WAITING_FOR_INPUT, at));
      }
      state = next;
      if (event instanceof TaskEvent.ArtifactWritten(var log) && log.sha256() != null) {
        batch.artifact(new ArtifactLink(log.sha256(), taskId, log.bytesStored(), at));
      }
      Notices.of(new Notices.Happened(taskId, event, next, seq, at), ids::next)
          .ifPresent(it -> {
            notices.add(it);
            batch.inbox(new InboxChange.Arrived(it, Notices.likeness(event)));
          });
    }
    var after = new Snapshot(taskId, state, seq, decided.pending());
    if (!frames.isEmpty()) {
      batch.append(new Append(StreamKey.of(taskId), before.lastSeq(), frames));
    }
    if (Rows.differ(before.state(), state)) {
      batch.row(Rows.of(after, codec));
    }
    var fleeting = notices.isEmpty() && events.stream().allMatch(Framing::isFleeting);
    return new Change(before, after, frames, notices, fleeting);
  }

  private static boolean isFleeting(TaskEvent event) {
    return event instanceof TaskEvent.Started || event instanceof TaskEvent.Output;
  }

  /** The frames of a session's events after that seq. */
  List<EncodedFrame> frames(SessionId sessionId, long lastSeq, List<SessionEvent> events) {
    var frames = new ArrayList<EncodedFrame>();
    for (var event : events) {
      var seq = lastSeq + 1 + frames.size();
      var head = new Frame.Head(ids.next(), sessionId, seq, clock.millis());
      frames.add(codec.encode(new Frame.OfSession(head, event)));
    }
    return frames;
  }
}
