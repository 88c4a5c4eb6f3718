package dev.errand.daemon.surface.http;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.access.Caller;
import dev.errand.daemon.task.ResultReads;

/** Notes that a result was delivered, by whom, and for which session. */
final class ResultsRead {

  private ResultsRead() {}

  static void note(Services services, TaskRow row, Call call) {
    call.afterwards().add(services.output().reads().answering(row, reader(call.caller())));
  }

  /**
   * The call waits for this task: where its session is told of the end by that, its inbox waits.
   */
  static void awaits(Services services, TaskRow row, Call call) {
    if (row.active() && row.sessionId().equals(call.caller().session())) {
      var awaited = services.output().reads().awaited(row.id());
      call.afterwards().add(_ -> awaited.close());
    }
  }

  static ResultReads.Reader reader(Caller caller) {
    return new ResultReads.Reader(caller.principal(), caller.session());
  }
}
