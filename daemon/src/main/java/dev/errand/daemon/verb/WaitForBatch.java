package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.Batches;
import java.time.Duration;

/** Waits until all tasks of a batch are over, or any of them. */
public final class WaitForBatch extends Verb<WaitForBatch.Request, BatchView> {
  private final BatchVerbs batches;

  /**
   * What is asked.
   *
   * @param any whether one ended task is enough
   * @param shownMax how many of its tasks are wanted
   */
  public record Request(
      SessionId sessionId, String batchId, boolean any, Duration timeout, int shownMax)
      implements BatchVerbs.OfBatch {

    /** Whether the condition is met. */
    public boolean isReached(BatchView batch) {
      return any ? batch.hasEnded() : batch.isOver();
    }
  }

  WaitForBatch(Verbs.Parts parts) {
    super("wait_for_batch", new Access.Filtered(), parts.floor().authorizer());
    this.batches = parts.batchVerbs();
  }

  @Override
  BatchView answer(Ask ask, Request request) throws InterruptedException {
    reached(ask).mustCover(request.sessionId());
    var mode = request.any() ? Batches.Mode.ANY : Batches.Mode.ALL;
    try (var _ = ask.slot()) {
      var batch =
          batches.batches().await(request.sessionId(), request.batchId(), mode, request.timeout());
      return batches.view(batch, request.shownMax());
    }
  }
}
