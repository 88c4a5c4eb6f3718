package dev.errand.daemon.condition;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.TaskViews;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Observes a followed task. */
final class Observations {
  private final Engine engine;
  private final TaskViews views;
  private final TaskId taskId;
  private final Feed.Following following;
  private final Time clock;
  private @Nullable Snapshot seen;

  Observations(
      Engine engine, TaskViews views, TaskId taskId, Feed.Following following, Time clock) {
    this.engine = engine;
    this.views = views;
    this.taskId = taskId;
    this.following = following;
    this.clock = clock;
  }

  Observation now() {
    // An ended task is read from its row: its state would have to be folded from all its frames.
    if (following.ended()) {
      return ended(views.rowOf(taskId));
    }
    if (seen == null && !engine.isLive(taskId)) {
      var row = views.rowOf(taskId);
      if (!row.active()) {
        return ended(row);
      }
    }
    var snapshot = snapshot();
    seen = snapshot;
    return snapshot.state() instanceof TaskState.Live live
        ? Observation.of(snapshot, live, clock)
        : ended(views.rowOf(taskId));
  }

  /** The journal has a frame shortly before the engine has its state. */
  private Snapshot snapshot() {
    var now = engine.snapshot(taskId);
    var before = seen;
    return before != null
            && now.lastSeq() <= before.lastSeq()
            && following.head() > before.lastSeq()
        ? engine.settled(taskId)
        : now;
  }

  private Observation ended(TaskRow row) {
    var progress = views.view(row).facts().progress();
    Map<LogStream, Long> totals = new EnumMap<>(LogStream.class);
    progress.logs().forEach(it -> totals.put(it.stream(), it.bytesTotal()));
    return new Observation(taskId, progress.lastSeq(), true, totals, null, 0, 0, clock.ticks());
  }
}
