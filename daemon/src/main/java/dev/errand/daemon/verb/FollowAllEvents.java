package dev.errand.daemon.verb;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.feed.Feed;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows the frames of all tasks and sessions, in one order. */
public final class FollowAllEvents
    extends Verb<FollowAllEvents.Request, LiveStream<RecordedFrame>> {
  private final Journal journal;
  private final Feed feed;

  /**
   * What is asked.
   *
   * @param session whose frames are wanted; null: all in the caller's reach
   * @param after the cursor after which to start, or {@code now}; null: at the first frame
   * @param follow whether to wait for more; without it the stream ends with the history
   */
  public record Request(@Nullable SessionId session, @Nullable String after, boolean follow)
      implements OfNothing {}

  FollowAllEvents(Verbs.Parts parts) {
    super("follow_all_events", new Access.Filtered(), parts.floor().authorizer());
    this.journal = parts.journaled().journal();
    this.feed = parts.journaled().feed();
  }

  @Override
  LiveStream<RecordedFrame> answer(Ask ask, Request request) {
    var session = AllEvents.session(request.session(), reached(ask));
    var after = CursorText.read(request.after(), journal::head);
    // A cursor of another journal is refused here, while a refusal can still be the answer.
    journal.readAll(after, 1);
    return new Stream(feed::followAll, ask::slot, session, after, request.follow());
  }

  /** It starts, and takes its slot, with its first step. */
  private static final class Stream implements LiveStream<RecordedFrame> {
    private final Supplier<Feed.FollowingAll> follow;
    private final Supplier<WaitSlots.Slot> slots;
    private final @Nullable SessionId session;
    private final boolean waits;

    private WaitSlots.@Nullable Slot slot;
    private Feed.@Nullable FollowingAll following;
    private Cursor at;
    private boolean caughtUp;

    private Stream(
        Supplier<Feed.FollowingAll> follow,
        Supplier<WaitSlots.Slot> slots,
        @Nullable SessionId session,
        Cursor after,
        boolean waits) {
      this.follow = follow;
      this.slots = slots;
      this.session = session;
      this.at = after;
      this.waits = waits;
    }

    @Override
    public Step<RecordedFrame> next(Duration wait) throws InterruptedException {
      var source = following();
      while (true) {
        var ticks = source.ticks();
        var page = source.next(at, AllEvents.FRAMES_AT_ONCE);
        if (!page.entries().isEmpty()) {
          at = page.next();
          return new Step.Items<>(AllEvents.shown(page, session));
        }
        if (!caughtUp) {
          caughtUp = true;
          return new Step.CaughtUp<>(at.text());
        }
        if (!waits) {
          return new Step.Ended<>();
        }
        if (wait.isZero() || !source.awaitSince(ticks, wait)) {
          return new Step.Quiet<>(at.text());
        }
      }
    }

    private Feed.FollowingAll following() {
      var known = following;
      if (known != null) {
        return known;
      }
      slot = slots.get();
      var begun = follow.get();
      following = begun;
      return begun;
    }

    @Override
    public void close() {
      if (following != null) {
        following.close();
      }
      if (slot != null) {
        slot.close();
      }
    }
  }
}
