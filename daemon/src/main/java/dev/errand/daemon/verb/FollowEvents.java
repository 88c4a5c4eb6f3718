package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;

/**
 * Follows the frames of one task: history, then live ones until its end. A caller that received the
 * last frame has read the result.
 */
public final class FollowEvents extends Verb<FollowEvents.Request, LiveStream<RecordedFrame>> {
  private final Engine engine;
  private final Journal journal;
  private final Feed feed;
  private final TaskViews views;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param after the frame after which to start; -1 for the first
   * @param follow whether to wait for more; without it the stream ends with the history
   */
  public record Request(TaskId taskId, long after, boolean follow) implements OfTask {}

  FollowEvents(Verbs.Parts parts) {
    super("follow_events", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.engine = parts.journaled().engine();
    this.journal = parts.journaled().journal();
    this.feed = parts.journaled().feed();
    this.views = parts.work().views();
    this.reads = parts.work().reads();
  }

  @Override
  LiveStream<RecordedFrame> answer(Ask ask, Request request) {
    var taskId = request.taskId();
    var _ = views.isLive(taskId);
    PastEnd.checkSeq(ReadEvents.AFTER_SEQ, request.after(), journal.lastSeq(StreamKey.of(taskId)));
    return new TaskEvents(
        request,
        () -> feed.follow(StreamKey.of(taskId)),
        () -> !views.isLive(taskId),
        ask::slot,
        () -> engine.row(taskId).ifPresent(it -> ask.tells(reads, it)));
  }
}
