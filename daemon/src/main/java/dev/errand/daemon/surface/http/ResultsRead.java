package dev.errand.daemon.surface.http;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.access.Caller;

/** Notes that a result was delivered, the first time that it is. */
final class ResultsRead {

  private ResultsRead() {}

  static void note(Services services, TaskRow row, Caller caller) {
    services.output().reads().note(row, caller.principal());
  }
}
