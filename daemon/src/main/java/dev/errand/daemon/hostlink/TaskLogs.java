package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Logs;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.recovery.LogCheck;
import dev.errand.wire.fault.Failpoint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of tasks, as their ends are recorded. A log that is damaged or missing costs its own
 * task an artifact and affects no other task. A failure that may pass, such as a full disk, is
 * thrown as a retryable one.
 */
public final class TaskLogs {
  private static final Logger log = LoggerFactory.getLogger(TaskLogs.class);
  private static final int READER_IDLE_SECONDS = 5;

  private final Engine engine;
  private final LogArchive archive;
  private final LogCheck check;

  /**
   * Reads whole logs, which may take seconds, one after the other. Not a virtual thread: it would
   * block others on its carrier.
   */
  private final Executor reading =
      new ThreadPoolExecutor(
          0,
          1,
          READER_IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("host-logs").factory());

  public TaskLogs(Engine engine, LogArchive archive, LogCheck check) {
    this.engine = engine;
    this.archive = archive;
    this.check = check;
  }

  /** The first bytes of a range; none if they cannot be read, since a frame does not need them. */
  byte[] startOf(TaskId taskId, LogStream stream, long offset, int bytes) {
    try {
      return archive.startOf(taskId, stream, offset, bytes);
    } catch (ErrandException e) {
      throwIfPassing(e);
      log.warn("the frame of a range of {}.{} has no preview", taskId, stream.word(), e);
      return new byte[0];
    }
  }

  /** The end of the log's files now, or its known end if they cannot be read. */
  long end(TaskId taskId, Logs.Log known) {
    try {
      return archive.end(taskId, known.stream());
    } catch (ErrandException e) {
      throwIfPassing(e);
      log.warn("cannot read where {}.{} ends", taskId, known.stream().word(), e);
      return known.bytesTotal();
    }
  }

  /** Makes artifacts of the logs if that needs no reading; false if it does, or failed. */
  boolean tryKeepAtOnce(TaskId taskId, HostFact.Exited end) {
    try {
      return isFirst(end) && end.logs().stream().allMatch(it -> tryLink(taskId, it));
    } catch (ErrandException e) {
      log.debug("the logs of task {} are read instead", taskId, e);
      return false;
    }
  }

  /** A later attempt writes on where an earlier one ended; its host saw only its own part. */
  private static boolean isFirst(HostFact.Exited end) {
    return end.attempt() == 1;
  }

  private boolean tryLink(TaskId taskId, LogEnd end) {
    if (!archive.tryLink(taskId, end)) {
      return false;
    }
    Failpoint.ARTIFACT_LINKED.pass();
    return true;
  }

  /** Makes artifacts of the logs, however long it takes; the returned end names them. */
  HostFact.Exited keep(TaskId taskId, HostFact.Exited end) {
    var logs =
        end.logs().stream()
            .map(it -> isFirst(end) ? keep(taskId, it) : read(taskId, it.stream(), it.bytesTotal()))
            .toList();
    return new HostFact.Exited(end.attempt(), end.n(), end.exit(), logs, end.atMs());
  }

  /** The same with artifacts only of those logs for which that takes neither room nor reading. */
  HostFact.Exited keepWhereAtOnce(TaskId taskId, HostFact.Exited end) {
    var logs =
        end.logs().stream()
            .map(it -> isFirst(end) && tryLinkNow(taskId, it) ? it : withoutArtifact(it))
            .toList();
    return new HostFact.Exited(end.attempt(), end.n(), end.exit(), logs, end.atMs());
  }

  private boolean tryLinkNow(TaskId taskId, LogEnd end) {
    try {
      return tryLink(taskId, end);
    } catch (ErrandException e) {
      log.debug("no disk space for {}.{}", taskId, end.stream().word(), e);
      return false;
    }
  }

  private static LogEnd withoutArtifact(LogEnd end) {
    return new LogEnd(
        end.stream(), end.bytesTotal(), end.bytesStored(), end.lines(), null, end.extents());
  }

  private LogEnd keep(TaskId taskId, LogEnd end) {
    try {
      onReadingThread(() -> {
        archive.keep(taskId, end);
        return end;
      });
      Failpoint.ARTIFACT_LINKED.pass();
      return end;
    } catch (ErrandException e) {
      return damaged(taskId, end, e);
    }
  }

  /** Reads the whole log, makes an artifact of it and describes it. */
  LogEnd read(TaskId taskId, LogStream stream, long bytesTotal) {
    try {
      return onReadingThread(() -> archive.end(taskId, stream, bytesTotal));
    } catch (ErrandException e) {
      var whole = List.of(new LogEnd.Extent(0, bytesTotal));
      return damaged(taskId, new LogEnd(stream, bytesTotal, bytesTotal, 0, null, whole), e);
    }
  }

  private <T> T onReadingThread(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, reading).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ErrandException it ? it : e;
    }
  }

  /**
   * Its task ends without this artifact, and the lost ranges of the log are recorded before that.
   */
  private LogEnd damaged(TaskId taskId, LogEnd end, ErrandException why) {
    throwIfPassing(why);
    log.warn("{}.{} is not kept as an artifact", taskId, end.stream().word(), why);
    // A wrong digest proves damage, also if no frame has a checksum that shows its place.
    var unknown = why.code() == ErrorCode.ARTIFACT_DAMAGED ? 0 : Long.MAX_VALUE;
    var from = check.firstLost(taskId).getOrDefault(end.stream(), unknown);
    for (var it : end.extents()) {
      if (from < it.to()) {
        lost(taskId, end.stream(), Math.max(from, it.from()), it.to());
      }
    }
    return withoutArtifact(end);
  }

  /** The machine stopped before all bytes were on the disk. */
  void recordLost(TaskId taskId) {
    if (engine.snapshot(taskId).state() instanceof TaskState.Live live) {
      check
          .firstLost(taskId)
          .forEach((stream, from) ->
              lost(taskId, stream, from, live.facts().logs().of(stream).bytesTotal()));
    }
  }

  private void lost(TaskId taskId, LogStream stream, long from, long to) {
    var command = new TaskCommand.OutputLost(stream, from, to);
    engine.submitAll(List.of(new Engine.Submission(taskId, command)));
  }

  private static void throwIfPassing(ErrandException e) {
    if (e.code().retryable()) {
      throw e;
    }
  }
}
