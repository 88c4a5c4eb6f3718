package dev.errand.daemon.verb;

import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.task.SessionId;
import dev.errand.core.time.Time;
import dev.errand.daemon.inbox.InboxSignal;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows the notices of a session: the present ones, then each that arrives. */
public final class FollowInbox extends Verb<FollowInbox.Request, LiveStream<EncodedNotice>> {
  private static final int NOTICES_AT_ONCE = 16;

  private final InboxVerbs inboxes;
  private final Time clock;

  /**
   * What is asked.
   *
   * @param after the cursor after which to start, or {@code now}; null: at the first notice
   * @param all whether acknowledged ones are included
   * @param follow whether to wait for more; without it the stream ends with the present notices
   */
  public record Request(SessionId sessionId, @Nullable String after, boolean all, boolean follow)
      implements OfSession {}

  FollowInbox(Verbs.Parts parts) {
    super("follow_inbox", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.inboxes = parts.inboxVerbs();
    this.clock = parts.clock();
  }

  @Override
  LiveStream<EncodedNotice> answer(Ask ask, Request request) {
    var query = inboxes.query(request.sessionId(), request.after(), request.all(), NOTICES_AT_ONCE);
    // A cursor of another journal is refused here, while a refusal can still be the answer.
    inboxes.inbox().read(query);
    return new Notices(query, request.follow(), ask::slot);
  }

  /** It starts, and takes its slot, with its first step. */
  private final class Notices implements LiveStream<EncodedNotice> {
    private final boolean follow;
    private final Supplier<WaitSlots.Slot> slots;

    private NoticeQuery query;
    private WaitSlots.@Nullable Slot slot;
    private InboxSignal.@Nullable Listener listener;
    private boolean caughtUp;

    private Notices(NoticeQuery query, boolean follow, Supplier<WaitSlots.Slot> slots) {
      this.query = query;
      this.follow = follow;
      this.slots = slots;
    }

    @Override
    public Step<EncodedNotice> next(Duration wait) throws InterruptedException {
      var listening = listener();
      var end = clock.ticks() + wait.toNanos();
      while (true) {
        var arrivals = listening.arrivals();
        var page = inboxes.inbox().read(query);
        if (!page.isEmpty()) {
          query = query.after(page.getLast().cursor());
          return new Step.Items<>(page.stream().map(inboxes::encoded).toList());
        }
        if (!caughtUp) {
          caughtUp = true;
          return new Step.CaughtUp<>(query.after().text());
        }
        if (!follow) {
          return new Step.Ended<>();
        }
        var left = Duration.ofNanos(end - clock.ticks());
        if (!left.isPositive() || !listening.awaitSince(arrivals, left)) {
          return new Step.Quiet<>(query.after().text());
        }
      }
    }

    private InboxSignal.Listener listener() {
      var known = listener;
      if (known != null) {
        return known;
      }
      slot = slots.get();
      var begun = inboxes.inbox().listen(query.sessionId());
      listener = begun;
      return begun;
    }

    @Override
    public void close() {
      if (listener != null) {
        listener.close();
      }
      if (slot != null) {
        slot.close();
      }
    }
  }
}
