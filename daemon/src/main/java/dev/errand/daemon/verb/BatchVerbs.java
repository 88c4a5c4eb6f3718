package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.Batches;

/** What the verbs of batches share: finding the batch, and showing it. */
final class BatchVerbs {
  private final Batches batches;
  private final ShownTasks tasks;

  BatchVerbs(Batches batches, ShownTasks tasks) {
    this.batches = batches;
    this.tasks = tasks;
  }

  /** A request about a batch of a session. */
  interface OfBatch extends Verb.Request {
    SessionId sessionId();

    String batchId();

    @Override
    default String target() {
      return batchId();
    }
  }

  Batches batches() {
    return batches;
  }

  BatchView show(OfBatch request, int shownMax) {
    return view(batches.of(request.sessionId(), request.batchId()), shownMax);
  }

  BatchView view(Batches.Batch batch, int shownMax) {
    var rows = batch.rows();
    return new BatchView(
        batch.sessionId(),
        batch.id(),
        batch.status(),
        rows.size(),
        (int) rows.stream().filter(it -> it.active()).count(),
        batch.counts(),
        tasks.of(rows.subList(0, Math.min(shownMax, rows.size()))));
  }
}
