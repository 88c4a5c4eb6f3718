package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;

/** Shows a batch: the combined state of its tasks, and the newest of them. */
public final class ShowBatch extends Verb<ShowBatch.Request, BatchView> {
  private final BatchVerbs batches;

  /** {@code shownMax} is how many of its tasks are wanted. */
  public record Request(SessionId sessionId, String batchId, int shownMax)
      implements BatchVerbs.OfBatch {}

  ShowBatch(Verbs.Parts parts) {
    super("show_batch", new Access.Filtered(), parts.floor().authorizer());
    this.batches = parts.batchVerbs();
  }

  @Override
  BatchView answer(Ask ask, Request request) {
    reached(ask).mustCover(request.sessionId());
    return batches.show(request, request.shownMax());
  }
}
