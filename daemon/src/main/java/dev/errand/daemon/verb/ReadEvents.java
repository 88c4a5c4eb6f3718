package dev.errand.daemon.verb;

import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.TaskViews;
import java.time.Duration;
import java.util.List;

/** Reads a page of the frames of one task; can wait for the first of them. */
public final class ReadEvents extends Verb<ReadEvents.Request, ReadEvents.Answer> {

  /** The name of the field for the start position, the same at every door. */
  static final String AFTER_SEQ = "after_seq";

  private final Journal journal;
  private final Feed feed;
  private final TaskViews views;
  private final ResultReads reads;

  /**
   * What is asked.
   *
   * @param after the frame after which to start; -1 for the first
   * @param patience how long to wait if there is no frame yet
   */
  public record Request(TaskId taskId, long after, int limit, Duration patience)
      implements OfTask {}

  /**
   * What was read.
   *
   * @param upTo the last frame of the page, or the requested one if the page is empty
   * @param ended whether no frame follows
   */
  public record Answer(ResultPage<RecordedFrame> page, long upTo, boolean ended) {}

  ReadEvents(Verbs.Parts parts) {
    super("read_events", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.journal = parts.journaled().journal();
    this.feed = parts.journaled().feed();
    this.views = parts.work().views();
    this.reads = parts.work().reads();
  }

  @Override
  Answer answer(Ask ask, Request request) throws InterruptedException {
    var taskId = views.rowOf(request.taskId()).id();
    var stream = StreamKey.of(taskId);
    PastEnd.checkSeq(AFTER_SEQ, request.after(), journal.lastSeq(stream));
    var found = frames(ask, request, stream);
    var frames = found.subList(0, Math.min(request.limit(), found.size()));
    var upTo = frames.isEmpty() ? request.after() : frames.getLast().seq();
    var now = views.rowOf(taskId);
    var ended = !now.active() && upTo >= journal.lastSeq(stream);
    if (ended) {
      ask.tells(reads, now);
    }
    var next = found.size() > frames.size() ? Long.toString(upTo) : null;
    var page = new ResultPage<>(frames.stream().map(RecordedFrame::of).toList(), next);
    return new Answer(page, upTo, ended);
  }

  private List<EncodedFrame> frames(Ask ask, Request request, StreamKey stream)
      throws InterruptedException {
    var toRead = ResultPage.toRead(request.limit());
    var found = journal.read(stream, request.after(), toRead);
    if (!found.isEmpty() || request.patience().isZero() || !views.isLive(request.taskId())) {
      return found;
    }
    try (var _ = ask.slot();
        var following = feed.follow(stream)) {
      following.awaitAfter(request.after(), request.patience());
    }
    return journal.read(stream, request.after(), toRead);
  }
}
