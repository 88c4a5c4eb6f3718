package dev.errand.daemon.hostlink;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/**
 * Ends of tasks that were read and wait for the final scan of their output, or for logs that take
 * long to become artifacts. Each waits on a thread of its own, while the records of other tasks
 * continue. The record of an end must stay on disk until the end is in the journal.
 */
final class PendingExits {
  private final FinalScan finalScan;
  private final Commit commit;
  private final BiConsumer<String, Throwable> failed;
  private final Map<TaskId, Pending> pending = new ConcurrentHashMap<>();

  /** Makes artifacts of the logs, and commits the end. */
  interface Commit {
    void commit(TaskId taskId, HostFact.Exited end) throws InterruptedException;
  }

  private record Pending(long segment, CountDownLatch done) {}

  /** An end that could not be recorded is reported to {@code failed}. */
  PendingExits(FinalScan finalScan, Commit commit, BiConsumer<String, Throwable> failed) {
    this.finalScan = finalScan;
    this.commit = commit;
    this.failed = failed;
  }

  boolean mustWait(TaskId taskId) {
    return finalScan.isNeeded(taskId);
  }

  /** Has the output scanned and then the end committed; returns at once. */
  void add(TaskId taskId, HostFact.Exited end, long segment) {
    var done = new CountDownLatch(1);
    pending.put(taskId, new Pending(segment, done));
    Thread.ofVirtual()
        .name("final-scan")
        .start(() -> {
          try {
            scanAndCommit(taskId, end);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error bug) {
            failed.accept("the end of task " + taskId + " cannot be recorded", bug);
          } finally {
            done.countDown();
          }
        });
  }

  private void scanAndCommit(TaskId taskId, HostFact.Exited end) throws InterruptedException {
    var totals = new EnumMap<LogStream, Long>(LogStream.class);
    end.logs().forEach(it -> totals.put(it.stream(), it.bytesTotal()));
    finalScan.runIfNeeded(taskId, totals);
    commit.commit(taskId, end);
    pending.remove(taskId);
  }

  /** The first segment that is still needed; at most the given one. */
  long firstSegment(long atMost) {
    return pending.values().stream().mapToLong(Pending::segment).reduce(atMost, Math::min);
  }

  /** Returns when every pending end is committed. */
  void await() throws InterruptedException {
    for (var it : pending.values()) {
      it.done().await();
    }
  }
}
