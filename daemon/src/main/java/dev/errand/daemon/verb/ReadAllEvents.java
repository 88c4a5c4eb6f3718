package dev.errand.daemon.verb;

import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads a page of the frames of all tasks and sessions, in one order. */
public final class ReadAllEvents extends Verb<ReadAllEvents.Request, ResultPage<RecordedFrame>> {

  /**
   * After this many reads for frames of one session a page ends, and the next one continues there.
   */
  private static final int LOOKS_MAX = 200;

  private final Journal journal;

  /**
   * What is asked.
   *
   * @param session whose frames are wanted; null: all in the caller's reach
   * @param after the cursor after which to start, or {@code now}; null: at the first frame
   */
  public record Request(@Nullable SessionId session, @Nullable String after, int limit)
      implements OfNothing {}

  ReadAllEvents(Verbs.Parts parts) {
    super("read_all_events", new Access.Filtered(), parts.floor().authorizer());
    this.journal = parts.journaled().journal();
  }

  /** Frames of other sessions, and gaps of removed ones, are skipped to fill the page. */
  @Override
  ResultPage<RecordedFrame> answer(Ask ask, Request request) {
    var session = AllEvents.session(request.session(), reached(ask));
    var at = CursorText.read(request.after(), journal::head);
    var limit = request.limit();
    var found = new ArrayList<RecordedFrame>();
    var end = false;
    var looks = LOOKS_MAX;
    while (!end && found.size() <= limit && looks-- > 0) {
      var read = journal.readAll(at, AllEvents.FRAMES_AT_ONCE);
      end = read.next().equals(at);
      at = read.next();
      found.addAll(AllEvents.shown(read, session));
    }
    return end || found.size() > limit
        ? ResultPage.of(found, limit, RecordedFrame::cursor)
        : new ResultPage<>(found, at.text());
  }
}
