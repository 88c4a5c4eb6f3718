package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Outcome;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.ValueText;
import dev.errand.daemon.output.LogStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** One clean-up; run by the maintenance loop and by {@code errand gc}. */
public final class Cleanup {
  private static final int ROWS = 200;
  private static final Duration REPLIES_KEPT = Duration.ofHours(24);

  /**
   * The minimum age of an unreferenced file before its deletion: its frame may not be committed
   * yet.
   */
  private static final Duration UNREFERENCED_KEPT = Duration.ofMinutes(10);

  private static final String BY = "janitor";

  private final Engine engine;
  private final Journal journal;
  private final Files files;
  private final Supplier<Config.Output> settings;
  private final Supplier<Duration> orphanTtl;

  /** The time before which something has this age. */
  private final ToLongFunction<Duration> ago;

  private final ReentrantLock running = new ReentrantLock();

  public Cleanup(
      Engine engine,
      Journal journal,
      Files files,
      Supplier<Config.Output> settings,
      Supplier<Duration> orphanTtl,
      ToLongFunction<Duration> ago) {
    this.engine = engine;
    this.journal = journal;
    this.files = files;
    this.settings = settings;
    this.orphanTtl = orphanTtl;
    this.ago = ago;
  }

  /**
   * The files on disk besides the journal.
   *
   * @param missed whether tasks are missing in the journal: then their files are kept
   */
  public record Files(
      ArtifactStore artifacts, LogStore logs, OldBuilds builds, BooleanSupplier missed) {}

  /** What a clean-up removed. */
  public record Report(int tasks, int artifacts, int logs, int builds, long bytesStored) {}

  public Report run() {
    running.lock();
    try {
      var limits = settings.get();
      var tasks =
          removeRead(limits.retention())
              + removeOrphans(ago.applyAsLong(orphanTtl.get()))
              + removeOverBudget(limits.totalBytesMax());
      journal.forgetReplies(ago.applyAsLong(REPLIES_KEPT));
      var _ = journal.forgetUploads(ago.applyAsLong(limits.retention()));
      var unreferenced = ago.applyAsLong(UNREFERENCED_KEPT);
      var missed = files.missed().getAsBoolean();
      return new Report(
          tasks,
          missed ? 0 : removeArtifacts(unreferenced),
          missed ? 0 : removeLogs(unreferenced),
          files.builds().remove(ago.applyAsLong(OldBuilds.KEPT)),
          journal.bytesStored());
    } finally {
      running.unlock();
    }
  }

  /** Results are kept for some time after they were read. */
  private int removeRead(Duration retention) {
    var reason = "read more than " + ValueText.plain(retention) + " ago";
    var readBefore = ago.applyAsLong(retention);
    var removed = 0;
    while (true) {
      var before = removed;
      for (var row : journal.readBefore(readBefore, ROWS)) {
        removed += remove(row, reason);
      }
      if (removed == before) {
        return removed;
      }
    }
  }

  /**
   * Results of an ended session are removed some time after the session and the task have ended,
   * read or not.
   */
  private int removeOrphans(long endedBeforeMs) {
    var removed = 0;
    for (var end : journal.endedSessions()) {
      if (end.atMs() < endedBeforeMs) {
        removed += removeOrphans(end.sessionId(), endedBeforeMs);
      }
    }
    return removed;
  }

  private int removeOrphans(SessionId sessionId, long endedBeforeMs) {
    var removed = 0;
    var left = false;
    @Nullable TaskId before = null;
    while (true) {
      var rows = engine.rows(new TaskQuery(sessionId, null, null, Set.of(), null, before, ROWS));
      for (var row : rows) {
        var isOld = !row.active() && row.lifetime().endedAtMs() < endedBeforeMs;
        left = left || !isOld;
        removed += isOld ? remove(row, "its session was ended") : 0;
      }
      if (rows.size() < ROWS) {
        break;
      }
      before = rows.getLast().id();
    }
    if (!left) {
      engine.commit(batch -> batch.session(new SessionEnd(sessionId, 0)));
    }
    return removed;
  }

  private int removeOverBudget(long totalBytesMax) {
    var excess = journal.bytesStored() - totalBytesMax;
    var removed = 0;
    while (excess > 0) {
      var before = removed;
      for (var row : journal.oldestEnded(ROWS)) {
        if (excess > 0 && remove(row, "all output together passed max_total_bytes") == 1) {
          excess -= row.lifetime().bytesStored();
          removed++;
        }
      }
      if (removed == before) {
        break;
      }
    }
    return removed;
  }

  private int remove(TaskRow row, String reason) {
    return engine.remove(row.id(), reason, BY, null) instanceof Outcome.Accepted ? 1 : 0;
  }

  private int removeArtifacts(long before) {
    return files.artifacts().deleteUnreferenced(before, it -> !journal.artifactLinks(it).isEmpty());
  }

  /** Logs of removed tasks; normally none, since a removal deletes them. */
  private int removeLogs(long before) {
    var removed = 0;
    for (var taskId : files.logs().olderThan(before)) {
      if (isGone(taskId)) {
        files.logs().delete(taskId);
        removed++;
      }
    }
    return removed;
  }

  private boolean isGone(TaskId taskId) {
    return journal.row(taskId).isEmpty();
  }
}
