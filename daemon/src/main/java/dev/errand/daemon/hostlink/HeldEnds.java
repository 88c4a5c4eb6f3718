package dev.errand.daemon.hostlink;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends of tasks that are read but wait for a last look at the output, or for logs that take long to
 * become artifacts, each on a thread of its own, while the records of all other tasks go on. Until
 * an end is in the journal its record must stay on disk.
 */
final class HeldEnds {
  private static final Logger log = LoggerFactory.getLogger(HeldEnds.class);

  private final LastLook lastLook;
  private final Commit commit;
  private final BiConsumer<String, Throwable> failed;
  private final Map<TaskId, Held> held = new ConcurrentHashMap<>();

  /** Sees to the logs, and puts the end into the journal. */
  interface Commit {
    void commit(TaskId taskId, HostFact.Exited end) throws InterruptedException;
  }

  private record Held(long segment, CountDownLatch done) {}

  /** What an end failed at, where it could not be recorded, goes to {@code failed}. */
  HeldEnds(LastLook lastLook, Commit commit, BiConsumer<String, Throwable> failed) {
    this.lastLook = lastLook;
    this.commit = commit;
    this.failed = failed;
  }

  boolean mustWait(TaskId taskId) {
    return lastLook.isDue(taskId);
  }

  /** Has the look taken, and then the end committed; returns at once. */
  void hold(TaskId taskId, HostFact.Exited end, long segment) {
    var done = new CountDownLatch(1);
    held.put(taskId, new Held(segment, done));
    Thread.ofVirtual()
        .name("last-look")
        .start(() -> {
          try {
            lookAndCommit(taskId, end);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error bug) {
            failed.accept("the end of task " + taskId + " cannot be recorded", bug);
          } finally {
            done.countDown();
          }
        });
  }

  private void lookAndCommit(TaskId taskId, HostFact.Exited end) throws InterruptedException {
    if (lastLook.isDue(taskId)) {
      look(taskId, end);
    }
    commit.commit(taskId, end);
    held.remove(taskId);
  }

  private void look(TaskId taskId, HostFact.Exited end) throws InterruptedException {
    var totals = new EnumMap<LogStream, Long>(LogStream.class);
    for (LogEnd log : end.logs()) {
      totals.put(log.stream(), log.bytesTotal());
    }
    try {
      lastLook.take(taskId, totals);
    } catch (RuntimeException | Error e) {
      // A task must come to its end, whoever fails to look at it.
      log.error("nobody took a last look at the output of task {}", taskId, e);
    }
  }

  /** The first segment of which something is still needed; at most the given one. */
  long firstSegment(long atMost) {
    return held.values().stream().mapToLong(Held::segment).reduce(atMost, Math::min);
  }

  /** Returns when every end that was held is committed. */
  void await() throws InterruptedException {
    for (var it : held.values()) {
      it.done().await();
    }
  }
}
