package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.task.Exit;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskDecider;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.recovery.Recovery;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what a dead host left. Its records are read to their end and its unrecorded output is
 * indexed; processes that still run are killed by another host; only then the outcome of each
 * attempt is recorded.
 */
public final class DeadHostSettlement {
  private static final Logger log = LoggerFactory.getLogger(DeadHostSettlement.class);

  private static final HostReply.Swept NOTHING = new HostReply.Swept(List.of(), List.of());

  private final Engine engine;
  private final TaskLogs taskLogs;
  private final FinalScan finalScan;
  private final InstantSource clock;

  public DeadHostSettlement(
      Engine engine, TaskLogs taskLogs, FinalScan finalScan, InstantSource clock) {
    this.engine = engine;
    this.taskLogs = taskLogs;
    this.finalScan = finalScan;
    this.clock = clock;
  }

  /** Provides a living host, which can find and kill processes. */
  interface Sweeper {
    HostLink host() throws IOException, InterruptedException;
  }

  void settle(HostLink dead, Sweeper sweeper) throws IOException, InterruptedException {
    var allRead = dead.pump().drain();
    for (var snapshot : engine.live()) {
      switch (snapshot.state()) {
        case TaskState.Claimed it when it.attempt().hostId().equals(dead.id()) ->
            settleClaimed(dead, allRead, snapshot, it, sweeper);
        case TaskState.Running it when it.attempt().hostId().equals(dead.id()) ->
            settleLost(
                snapshot.taskId(),
                it.attempt(),
                it.process(),
                Boot.isCurrent(dead.folder()),
                sweeper);
        case TaskState.Claimed _,
            TaskState.Running _,
            TaskState.Held _,
            TaskState.Queued _,
            TaskState.Absent _,
            TaskState.Ended _ -> {}
      }
    }
  }

  /**
   * The host was dead before it got the request, so this attempt started nothing; a later one is
   * for another host.
   */
  void giveUpClaim(TaskId taskId, TaskState.Attempt attempt) {
    submit(taskId, new TaskCommand.HostLeft(attempt.number(), clock.millis()));
  }

  /** Without the host's folder nothing is proven, so the attempt counts as begun. */
  void settleHostless(Snapshot snapshot, Sweeper sweeper) throws IOException, InterruptedException {
    switch (snapshot.state()) {
      case TaskState.Claimed it ->
          settleLost(snapshot.taskId(), it.attempt(), unrecorded(0), true, sweeper);
      case TaskState.Running it -> {
        var sameBoot = it.process().bootId().equals(Boot.currentId());
        settleLost(snapshot.taskId(), it.attempt(), it.process(), sameBoot, sweeper);
      }
      case TaskState.Held _, TaskState.Queued _, TaskState.Absent _, TaskState.Ended _ -> {}
    }
  }

  /** Ends it as lost, without a search for its processes. */
  void leave(Snapshot snapshot) throws IOException, InterruptedException {
    switch (snapshot.state()) {
      case TaskState.Hosted it -> leave(snapshot.taskId(), it.attempt());
      case TaskState.Held _, TaskState.Queued _, TaskState.Absent _, TaskState.Ended _ -> {}
    }
  }

  private void leave(TaskId taskId, TaskState.Attempt attempt)
      throws IOException, InterruptedException {
    taskLogs.recordLost(taskId);
    giveUp(taskId, attempt, NOTHING);
  }

  void leave(Recovery.Unreadable task) {
    end(task, NOTHING);
  }

  /**
   * Whether it was ever started is not known, so its processes are searched for and killed first.
   */
  void endUnreadable(Recovery.Unreadable task, Sweeper sweeper)
      throws IOException, InterruptedException {
    end(task, sweep(task.taskId(), unrecorded(0), sweeper));
  }

  private void end(Recovery.Unreadable task, HostReply.Swept swept) {
    log.error(
        "task {} ends: its frames in the journal are damaged from frame {} on",
        task.taskId(),
        task.fromSeq());
    submit(
        task.taskId(),
        new TaskCommand.RecordDamaged(
            task.fromSeq(), swept.killed(), swept.survivors(), clock.millis()));
  }

  /**
   * In the same boot a missing intent proves that nothing was started, if all records were read and
   * no frame of a start is lost.
   */
  private void settleClaimed(
      HostLink dead, boolean allRead, Snapshot snapshot, TaskState.Claimed state, Sweeper sweeper)
      throws IOException, InterruptedException {
    var attempt = state.attempt();
    var attemptId = new AttemptId(snapshot.taskId(), attempt.number());
    if (allRead
        && Boot.isCurrent(dead.folder())
        && !dead.pump().isIntended(attemptId)
        && !engine.isDamaged(snapshot.taskId())) {
      submit(snapshot.taskId(), new TaskCommand.HostLeft(attempt.number(), clock.millis()));
      return;
    }
    var process = unrecorded(dead.pump().tagOf(attemptId));
    settleLost(snapshot.taskId(), attempt, process, Boot.isCurrent(dead.folder()), sweeper);
  }

  /**
   * A process of this boot whose pid no host recorded: it is known by its tag and its task, which
   * are unique within one boot.
   */
  private static ProcessIdentity unrecorded(long tag) throws IOException {
    return new ProcessIdentity(0, 0, Boot.currentId(), tag);
  }

  private void settleLost(
      TaskId taskId,
      TaskState.Attempt attempt,
      ProcessIdentity process,
      boolean sameBoot,
      Sweeper sweeper)
      throws IOException, InterruptedException {
    // Killed first: a process that still writes would move the end of the logs.
    var swept = sameBoot ? sweep(taskId, process, sweeper) : NOTHING;
    if (!sameBoot) {
      taskLogs.recordLost(taskId);
    }
    giveUp(taskId, attempt, swept);
  }

  private void giveUp(TaskId taskId, TaskState.Attempt attempt, HostReply.Swept swept)
      throws InterruptedException {
    index(taskId, attempt.number());
    if (!(engine.snapshot(taskId).state() instanceof TaskState.Live live)) {
      return;
    }
    var totals = new EnumMap<LogStream, Long>(LogStream.class);
    live.facts().logs().list().forEach(it -> totals.put(it.stream(), it.bytesTotal()));
    finalScan.runIfNeeded(taskId, totals);
    // The logs of a task that runs again are not finished, so they become no artifacts yet.
    var runsAgain = TaskDecider.runsAgain(live.facts(), swept.survivors());
    var logs = runsAgain ? List.<LogEnd>of() : ends(taskId, live);
    submit(
        taskId,
        new TaskCommand.HostLost(
            attempt.number(), swept.killed(), swept.survivors(), logs, clock.millis()));
  }

  private static HostReply.Swept sweep(TaskId taskId, ProcessIdentity process, Sweeper sweeper)
      throws IOException, InterruptedException {
    return sweep(taskId, process, List.of(), sweeper);
  }

  /** Kills processes that an attempt, now over, was allowed to leave. */
  HostReply.Swept endKept(
      TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept, Sweeper sweeper)
      throws IOException, InterruptedException {
    var sameBoot = process.bootId().equals(Boot.currentId());
    return sameBoot ? sweep(taskId, process, kept, sweeper) : NOTHING;
  }

  private static HostReply.Swept sweep(
      TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept, Sweeper sweeper)
      throws IOException, InterruptedException {
    var request =
        new HostRequest.Sweep(
            taskId,
            process.pid(),
            process.startTicks(),
            process.bootId(),
            process.tag(),
            kept.stream().map(it -> new HostRequest.Kept(it.pid(), it.startTicks())).toList());
    var swept = sweeper.host().sweep(request);
    if (!swept.killed().isEmpty() || !swept.survivors().isEmpty()) {
      log.info("task {}: killed {}, survived {}", taskId, swept.killed(), swept.survivors());
    }
    return swept;
  }

  /** Output that reached the logs but not the records. */
  private void index(TaskId taskId, int attempt) {
    if (!(engine.snapshot(taskId).state() instanceof TaskState.Live live)) {
      return;
    }
    var tails = new ArrayList<TaskCommand.Index.Tail>();
    for (var it : live.facts().logs().list()) {
      var end = taskLogs.end(taskId, it);
      if (end > it.bytesTotal()) {
        var bytes = end - it.bytesTotal();
        var start =
            taskLogs.startOf(
                taskId, it.stream(), it.bytesTotal(), (int) Math.min(bytes, Preview.BYTES_MAX));
        tails.add(
            new TaskCommand.Index.Tail(
                it.stream(), it.bytesTotal(), bytes, Preview.of(start, bytes)));
      }
    }
    submit(taskId, new TaskCommand.Index(attempt, tails));
  }

  private List<LogEnd> ends(TaskId taskId, TaskState.Live state) {
    return state.facts().logs().list().stream()
        .map(it -> taskLogs.read(taskId, it.stream(), it.bytesTotal()))
        .toList();
  }

  private void submit(TaskId taskId, TaskCommand command) {
    engine.submitAll(List.of(new Engine.Submission(taskId, command)));
  }

  /** Nothing in it is needed once every task of the host is settled. */
  static void removeFolder(HostFolder folder) throws IOException {
    if (!Files.exists(folder.path())) {
      return;
    }
    try (var tree = Files.walk(folder.path())) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
