package dev.errand.daemon.verb;

import dev.errand.daemon.feed.Feed;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The frames of one task as a stream. It starts, and takes its slot, with its first step. */
final class TaskEvents implements LiveStream<RecordedFrame> {

  /**
   * The maximum number of frames in one step; with at most about 10 KiB each this bounds a
   * subscriber's memory.
   */
  private static final int FRAMES_AT_ONCE = 64;

  private final FollowEvents.Request wanted;
  private final Supplier<Feed.Following> follow;
  private final BooleanSupplier isOver;
  private final Supplier<WaitSlots.Slot> slots;
  private final Runnable delivered;

  private WaitSlots.@Nullable Slot slot;
  private Feed.@Nullable Following following;
  private boolean over;
  private long at;
  private boolean caughtUp;
  private long told = -1;

  /** {@code delivered} is called when the last frame of the task was returned. */
  TaskEvents(
      FollowEvents.Request wanted,
      Supplier<Feed.Following> follow,
      BooleanSupplier isOver,
      Supplier<WaitSlots.Slot> slots,
      Runnable delivered) {
    this.wanted = wanted;
    this.follow = follow;
    this.isOver = isOver;
    this.slots = slots;
    this.delivered = delivered;
    this.at = wanted.after();
  }

  @Override
  public Step<RecordedFrame> next(Duration wait) throws InterruptedException {
    var source = following();
    while (true) {
      // Read before the frames, so that all frames before these bytes are returned before them.
      var growth = source.growth();
      var pending = source.pendingAfter(at);
      var head = source.head();
      var frames = source.next(at, FRAMES_AT_ONCE);
      if (!frames.isEmpty()) {
        at = frames.getLast().seq();
        return new Step.Items<>(frames.stream().map(RecordedFrame::of).toList());
      }
      if (head > at) {
        return new Step.Ended<>(); // There were frames and now there are none: it was removed.
      }
      if (!caughtUp) {
        caughtUp = true;
        return new Step.CaughtUp<>(Long.toString(at));
      }
      if (wanted.follow() && growth != told && !pending.isEmpty()) {
        told = growth;
        return new Step.Coming<>(pending.ranges());
      }
      if (over || source.ended()) {
        // The last frame may have come between the two reads.
        if (source.head() == at) {
          delivered.run();
          return new Step.Ended<>();
        }
      } else if (!wanted.follow()) {
        return new Step.Ended<>();
      } else if (wait.isZero() || !source.awaitNews(at, growth, wait)) {
        return new Step.Quiet<>(Long.toString(at));
      }
    }
  }

  private Feed.Following following() {
    var known = following;
    if (known != null) {
      return known;
    }
    slot = slots.get();
    var begun = follow.get();
    following = begun;
    // Checked after following began: an earlier end is seen here, a later one by the feed.
    over = isOver.getAsBoolean();
    if (over) {
      // Its last frames may be committed and not yet published.
      begun.catchUp();
    }
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
