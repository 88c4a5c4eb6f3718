package dev.errand.daemon.tool.task;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.verb.CancelTask;
import java.time.Duration;
import java.util.List;

/** Ends tasks through tools, which answer when they are proven dead. */
public final class Ending {
  /** Longer than a task has from the first signal to the last, unless it was given more. */
  private static final Duration PROOF_TIME = Duration.ofSeconds(30);

  private final ToolServices services;

  public Ending(ToolServices services) {
    this.services = services;
  }

  /** Asks all of them to end, then waits for all; false where one is not dead when time is over. */
  public boolean end(ToolCall call, List<TaskRow> rows, String reason) throws InterruptedException {
    for (var row : rows) {
      if (row.active() || hasKept(row)) {
        var step = call.ask().step(row.id().value());
        services.verbs().cancel().run(step, new CancelTask.Request(row.id(), reason));
      }
    }
    return awaitOver(call, rows, PROOF_TIME);
  }

  private boolean hasKept(TaskRow row) {
    return services.tasks().views().view(row).leftovers().isKept();
  }

  /** Waits until all are over; false where one is not when time is over. */
  public boolean awaitAll(ToolCall call, List<TaskRow> rows, Duration timeout)
      throws InterruptedException {
    return awaitOver(call, rows, timeout);
  }

  private boolean awaitOver(ToolCall call, List<TaskRow> rows, Duration timeout)
      throws InterruptedException {
    var clock = services.clock();
    var begun = clock.ticks();
    try (var _ = call.ask().slot()) {
      for (var row : rows) {
        var left = timeout.minusNanos(clock.ticks() - begun);
        if (row.active() && !services.tasks().tasks().awaitEnd(row.id(), left)) {
          return false;
        }
      }
    }
    return true;
  }
}
