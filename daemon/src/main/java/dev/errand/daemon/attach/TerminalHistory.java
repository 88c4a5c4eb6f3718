package dev.errand.daemon.attach;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.feed.Feed;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The earlier states of one terminal according to its frames. They are read backwards, so that the
 * cost depends on what the client has missed, unless the size changed since.
 */
final class TerminalHistory {
  private static final int PAGE_FRAMES = 128;

  private final Feed.Following following;
  private final FrameCodec codec;

  TerminalHistory(Feed.Following following, FrameCodec codec) {
    this.following = following;
    this.codec = codec;
  }

  /** The last frame before the one with that byte: no change of size lies between the two. */
  long seqBefore(long offset, long head) {
    var found = last(-1, head, it -> beginsUpTo(it, offset));
    if (found == null) {
      return -1;
    }
    var hasIt = event(found) instanceof TaskEvent.Output it && offset < it.offset() + it.bytes();
    return hasIt ? found.seq() - 1 : found.seq();
  }

  private static boolean beginsUpTo(TaskEvent event, long offset) {
    return event instanceof TaskEvent.Output it
        && it.stream() == LogStream.PTY
        && it.offset() <= offset;
  }

  /** The size after that frame; {@code now} is the size after the last. */
  @Nullable TerminalSize sizeAfter(long seq, long head, @Nullable TerminalSize now) {
    if (last(seq, head, TerminalHistory::changesSize) == null) {
      return now;
    }
    var changed = last(-1, seq, TerminalHistory::changesSize);
    return changed != null && event(changed) instanceof TaskEvent.Resized it ? it.size() : first();
  }

  /** Each attempt starts with the size of its spawn. */
  private static boolean changesSize(TaskEvent event) {
    return event instanceof TaskEvent.Resized || event instanceof TaskEvent.Attempted;
  }

  private @Nullable TerminalSize first() {
    var frames = following.next(-1, 1);
    return !frames.isEmpty() && event(frames.getFirst()) instanceof TaskEvent.Spawned it
        ? it.spec().work().terminal()
        : null;
  }

  /** The last matching frame after {@code after}, up to {@code to}. */
  private @Nullable EncodedFrame last(long after, long to, Predicate<TaskEvent> wanted) {
    for (var end = to; end > after; end -= PAGE_FRAMES) {
      for (var frame : page(Math.max(after, end - PAGE_FRAMES), end).reversed()) {
        if (wanted.test(event(frame))) {
          return frame;
        }
      }
    }
    return null;
  }

  private List<EncodedFrame> page(long after, long to) {
    var frames = following.next(after, (int) (to - after));
    return frames.stream().filter(it -> it.seq() <= to).toList();
  }

  private TaskEvent event(EncodedFrame frame) {
    return codec.decodeTask(frame).event();
  }
}
