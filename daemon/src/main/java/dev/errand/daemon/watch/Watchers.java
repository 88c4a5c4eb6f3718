package dev.errand.daemon.watch;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.hostlink.FinalScan;
import dev.errand.daemon.output.LogStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Watches every task that has watchers or a readiness condition, from its first attempt to its end.
 */
public final class Watchers implements CommitListener, FinalScan, AutoCloseable {
  private final Engine engine;
  private final Sources sources;
  private final Map<TaskId, TaskWatch> watches = new ConcurrentHashMap<>();

  /** What watchers read, and their limits. */
  public record Sources(
      Journal journal,
      FrameCodec codec,
      LogStore logs,
      ComputePool compute,
      Conditions conditions,
      Supplier<Config.Watching> limits,
      Time clock) {}

  public Watchers(Engine engine, Sources sources) {
    this.engine = engine;
    this.sources = sources;
  }

  /** Starts with the tasks that are running. */
  public void start() {
    engine.live().forEach(this::note);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    note(after);
  }

  @Override
  public void stored(Snapshot now) {
    note(now);
  }

  private void note(Snapshot snapshot) {
    switch (snapshot.state()) {
      case TaskState.Hosted it -> note(snapshot.taskId(), it);
      case TaskState.Ended _ -> {
        var watch = watches.remove(snapshot.taskId());
        if (watch != null) {
          watch.signal();
        }
      }
      // Queued again after its host was lost: the next attempt gets a new watch and must become
      // ready again.
      case TaskState.Queued _ -> {
        var watch = watches.remove(snapshot.taskId());
        if (watch != null) {
          watch.stop();
        }
      }
      case TaskState.Absent _, TaskState.Held _ -> {}
    }
  }

  private void note(TaskId taskId, TaskState.Live live) {
    var watching = live.facts().spec().watching();
    if (!watching.watchers().isEmpty() || watching.readyWhen() != null) {
      watchOf(taskId).signal();
    }
  }

  private TaskWatch watchOf(TaskId taskId) {
    return watches.computeIfAbsent(taskId, it -> new TaskWatch(it, engine, sources).start());
  }

  @Override
  public boolean isNeeded(TaskId taskId) {
    return engine.snapshot(taskId).state() instanceof TaskState.Live live
        && readsOutput(live.facts().spec().watching());
  }

  private static boolean readsOutput(WatchSpec watching) {
    return watching.readyWhen() instanceof WatchCondition.Regex
        || watching.watchers().stream()
            .anyMatch(it -> it.condition() instanceof WatchCondition.Regex);
  }

  @Override
  public void run(TaskId taskId, Map<LogStream, Long> totals) throws InterruptedException {
    var watch = watchOf(taskId);
    try {
      watch.finish(totals, sources.limits().get().lastLook()).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a watch does not fail", e);
    } finally {
      // Another attempt gets a new watch, which starts from the recorded hits.
      watches.remove(taskId, watch);
    }
  }

  @Override
  public void close() {
    watches.values().forEach(TaskWatch::stop);
  }
}
