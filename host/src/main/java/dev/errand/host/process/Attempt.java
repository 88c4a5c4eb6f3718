package dev.errand.host.process;

import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.RefusalCode;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the host stores about one attempt, so that it is started at most once. */
final class Attempt {
  private final CompletableFuture<Answer<HostReply.Spawned>> answer = new CompletableFuture<>();
  private volatile @Nullable Running running;
  private volatile boolean wasStarted;
  private volatile long lastSegment;

  /** A started attempt: the child, its loop, and what identifies its processes. */
  record Running(Child child, IoLoop loop, long pid, long tag) {}

  static Attempt forgotten() {
    var attempt = new Attempt();
    attempt.answer.complete(
        new Answer.Refused<>(RefusalCode.FORGOTTEN, "the attempt was withdrawn", 0));
    return attempt;
  }

  /** Completes once it is recorded whether the attempt was started. */
  CompletableFuture<Answer<HostReply.Spawned>> answer() {
    return answer;
  }

  @Nullable Running running() {
    return running;
  }

  void started(Running child) {
    running = child;
    wasStarted = true;
    if (hasEnded()) {
      // A short process may end before this call.
      ended(lastSegment);
    }
    answer.complete(new Answer.Done<>(new HostReply.Spawned(true)));
  }

  void notStarted(long segment) {
    lastSegment = segment;
    answer.complete(new Answer.Done<>(new HostReply.Spawned(false)));
  }

  /**
   * The last record of the attempt is in this segment. The child is kept only to answer repeated
   * operations: most tasks have none, and there may be thousands of children until the segment is
   * full.
   */
  void ended(long segment) {
    lastSegment = segment;
    var it = running;
    if (it != null && !it.child().hasOperations()) {
      running = null;
    }
  }

  /** Whether it was started, and its child is no longer stored. */
  boolean isOver() {
    return wasStarted && running == null;
  }

  boolean hasEnded() {
    return lastSegment > 0;
  }

  /** All its records are in segments before this one. */
  boolean endedBefore(long segment) {
    return hasEnded() && lastSegment < segment;
  }
}
