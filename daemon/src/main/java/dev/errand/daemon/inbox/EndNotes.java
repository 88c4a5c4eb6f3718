package dev.errand.daemon.inbox;

import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.output.PlainText;
import dev.errand.wire.json.LeftoverText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has to be told of an end beside how it came: readiness that never came, lost attempts,
 * dropped output, and processes that the task left behind.
 */
final class EndNotes {
  private static final int LEFT_CHARS_MAX = 1_500;

  private EndNotes() {}

  /** A sentence without a stop for each; empty where there is nothing to tell. */
  static List<String> of(TaskView view, @Nullable TaskSpec spec) {
    var notes = new ArrayList<String>();
    if (spec != null && view.missedReadiness(spec)) {
      notes.add("it never became ready: ready_when did not hold before its end");
    }
    var progress = view.facts().progress();
    if (progress.attempts() > 1) {
      notes.add(attempts(progress.attempts()));
    }
    for (var log : progress.logs()) {
      if (log.truncated()) {
        notes.add(
            "%d bytes of its %s were dropped, and %d are kept"
                .formatted(
                    log.bytesTotal() - log.bytesStored(), log.stream().word(), log.bytesStored()));
      }
    }
    var left = PlainText.line(LeftoverText.of(view.leftovers()), LEFT_CHARS_MAX);
    if (!left.isEmpty()) {
      notes.add(left);
    }
    return notes;
  }

  private static String attempts(int count) {
    return count == 2
        ? "it ran twice: the first attempt was lost"
        : "it ran %d times: the first %d attempts were lost".formatted(count, count - 1);
  }
}
