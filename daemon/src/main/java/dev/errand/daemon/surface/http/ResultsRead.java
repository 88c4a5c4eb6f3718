package dev.errand.daemon.surface.http;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.verb.Caller;

/** Notes that a result was delivered, by whom, and for which session. */
final class ResultsRead {

  private ResultsRead() {}

  static void note(Services services, TaskRow row, Call call) {
    call.afterwards().add(services.output().reads().answering(row, reader(call.caller())));
  }

  static ResultReads.Reader reader(Caller caller) {
    return new ResultReads.Reader(caller.principal(), caller.session());
  }
}
