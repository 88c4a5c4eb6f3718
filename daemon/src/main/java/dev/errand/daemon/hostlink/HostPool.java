package dev.errand.daemon.hostlink;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Ids;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.recovery.Recovery;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostUnreachable;
import dev.errand.host.record.RecordReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All hosts of this home: the one that starts new tasks, older ones that keep theirs to the end,
 * and dead ones until what they left is settled. Each has a thread that keeps it connected and one
 * that reads its records.
 */
public final class HostPool implements CommandRunner, CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HostPool.class);
  private static final Duration RECONNECT_FIRST = Duration.ofMillis(20);
  private static final Duration RECONNECT_MAX = Duration.ofSeconds(1);
  private static final Duration SETTLE_AGAIN_MAX = Duration.ofSeconds(10);

  private static final Duration DAMAGE_CHECK_EVERY = Duration.ofSeconds(5);

  /** Longer than the end of a task takes once its process is gone. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private final Engine engine;
  private final HostStarter starter;
  private final Path hostsFolder;
  private final TaskLogs taskLogs;
  private final Ids ids;
  private final Time clock;
  private final Sending sending;
  private final StoredOutputListener storedOutput;
  private final FinalScan finalScan;
  private final DeadHostSettlement settlement;
  private final Map<String, HostLink> links = new ConcurrentHashMap<>();
  private final ForeignHosts foreign = new ForeignHosts();
  private final ReentrantLock starting = new ReentrantLock();
  private volatile @Nullable HostLink current;
  private volatile boolean closed;

  /**
   * What is sent with a task to its host: whether its logs are synced, its secrets, whether its
   * folder was checked, as it is while tasks are restricted to roots, and the home of this daemon,
   * so that a process of the task finds it.
   */
  public record Sending(
      boolean syncLogs, SecretFiles secrets, BooleanSupplier judgesFolders, Path home) {}

  /** Called with output before its frame is committed, and before the end of its task is. */
  public record Watching(StoredOutputListener storedOutput, FinalScan finalScan) {}

  public HostPool(
      Engine engine,
      HostStarter starter,
      TaskLogs taskLogs,
      DeadHostSettlement settlement,
      Ids ids,
      Sending sending,
      Watching watching) {
    this.engine = engine;
    this.starter = starter;
    this.hostsFolder = starter.hostsFolder();
    this.taskLogs = taskLogs;
    this.ids = ids;
    this.clock = starter.clock();
    this.sending = sending;
    this.settlement = settlement;
    this.storedOutput = watching.storedOutput();
    this.finalScan = watching.finalScan();
  }

  @Override
  public void entrust(TaskId taskId, Environment secrets) {
    sending.secrets().put(taskId, secrets);
  }

  @Override
  public void dropSecrets(TaskId taskId) {
    sending.secrets().remove(taskId);
  }

  /** Connects to the hosts that exist, and starts one if none can start tasks. */
  @Override
  public void recover() throws IOException, InterruptedException {
    var found = new ArrayList<HostLink>();
    for (var folder : HostFolder.allIn(hostsFolder)) {
      var link = link(folder);
      tryConnect(link);
      found.add(link);
    }
    ensureCurrent();
    settleHostless();
    found.forEach(this::keepConnected);
  }

  /** A task may name a host whose folder is gone. */
  private void settleHostless() throws IOException, InterruptedException {
    for (var snapshot : engine.live()) {
      var hostId = hostOf(snapshot.state());
      if (!hostId.isEmpty() && !links.containsKey(hostId)) {
        settlement.settleHostless(snapshot, this::ensureCurrent);
      }
    }
  }

  /** Ends tasks whose record cannot be read, with all processes that are left of them. */
  public void endUnreadable(List<Recovery.Unreadable> tasks)
      throws IOException, InterruptedException {
    for (var it : tasks) {
      settlement.endUnreadable(it, this::ensureCurrent);
    }
  }

  private HostLink link(HostFolder folder) {
    var reader = new RecordReader(folder.records(), clock);
    var pump =
        new RecordPump(
            engine, reader, taskLogs, storedOutput, finalScan, RecordPump.Times.by(clock));
    var link = new HostLink(folder, engine, pump, sending, clock);
    links.put(link.id(), link);
    // Not a virtual thread: it commits most of the time, which would block others on its carrier.
    start(Thread.ofPlatform().daemon(), "host-records", () -> pump.run(link::consumed));
    untilClosed("host-ends", () -> settleMissed(link));
    return link;
  }

  /** The end of a task may have been recorded in a place that is damaged now. */
  private void settleMissed(HostLink link) throws InterruptedException {
    var missed = new MissedExits(engine, link.id(), link::withdraw, SILENCE_MAX);
    var logged = false;
    while (!closed && links.containsKey(link.id())) {
      clock.sleep(DAMAGE_CHECK_EVERY);
      if (!link.pump().isDamaged()) {
        continue;
      }
      if (!logged) {
        logged = true;
        log.error("records of host {} are damaged; they are skipped", link.id());
      }
      for (var snapshot : missed.find(clock.ticks())) {
        settleMissed(snapshot);
      }
    }
  }

  private void settleMissed(Snapshot snapshot) throws InterruptedException {
    try {
      settlement.settleHostless(snapshot, this::ensureCurrent);
    } catch (IOException | RuntimeException e) {
      log.warn("task {} is over but cannot be settled yet; trying again", snapshot.taskId(), e);
    }
  }

  /** Starts a host unless one of this build runs; returns the one that starts new tasks. */
  private HostLink ensureCurrent() throws IOException, InterruptedException {
    starting.lockInterruptibly();
    try {
      var existing = current;
      if (existing != null) {
        return existing;
      }
      return startHost(link(new HostFolder(hostsFolder.resolve(ids.next()))));
    } finally {
      starting.unlock();
    }
  }

  private HostLink startHost(HostLink link) throws IOException, InterruptedException {
    try {
      starter.start(link.folder());
      if (!tryConnect(link)) {
        throw new IOException("the host that was just started does not answer");
      }
      return link;
    } finally {
      // Also after a failure: the host may answer late, or has left a folder that must be removed.
      keepConnected(link);
    }
  }

  private boolean tryConnect(HostLink link) throws InterruptedException {
    try {
      link.connect(starter.journalId(), starter.build(), HostClient.ANSWER_MAX);
    } catch (HostUnreachable e) {
      log.debug("host {} cannot be reached", link.id(), e);
      foreign.note(link);
      return false;
    }
    if (link.build().equals(starter.build()) && current == null) {
      current = link;
    }
    return true;
  }

  private void keepConnected(HostLink link) {
    untilClosed("host-link", () -> keep(link));
  }

  private void keep(HostLink link) throws InterruptedException {
    var pause = RECONNECT_FIRST;
    while (!closed && links.containsKey(link.id())) {
      if (link.isConnected() || tryConnect(link)) {
        pause = RECONNECT_FIRST;
        driveAll(link);
        retireIfIdle(link);
        link.awaitClosed();
      } else if (link.isDead(clock.instant())) {
        settleUntilDone(link);
        return;
      } else {
        clock.sleep(pause);
        pause = longer(pause, RECONNECT_MAX);
      }
    }
  }

  private static Duration longer(Duration pause, Duration max) {
    var twice = pause.multipliedBy(2);
    return twice.compareTo(max) < 0 ? twice : max;
  }

  /**
   * A failure is tried again, since no task may stay unsettled: the host that kills processes may
   * die too.
   */
  private void settleUntilDone(HostLink link) throws InterruptedException {
    for (var pause = RECONNECT_FIRST; !trySettle(link); pause = longer(pause, SETTLE_AGAIN_MAX)) {
      clock.sleep(pause);
    }
  }

  /** False if it has to be tried again. */
  private boolean trySettle(HostLink link) throws InterruptedException {
    try {
      settle(link);
      return true;
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        log.warn("what host {} left cannot be settled yet; trying again", link.id(), e);
      }
      return closed;
    }
  }

  private void settle(HostLink link) throws IOException, InterruptedException {
    if (link == current) {
      current = null;
    }
    if (closed) {
      return;
    }
    log.info("host {} is dead; settling what it left", link.id());
    settlement.settle(link, this::ensureCurrent);
    links.remove(link.id());
    // A claim that was decided while the host died is found here, or finds no link and gives up.
    settlement.settle(link, this::ensureCurrent);
    link.pump().close();
    DeadHostSettlement.removeFolder(link.folder());
  }

  private void driveAll(HostLink link) {
    for (var snapshot : engine.live()) {
      if (hostOf(snapshot.state()).equals(link.id())) {
        thread("host-drive", () -> link.drive(snapshot.taskId()));
      }
    }
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  /** The task may have been the last one of an old host. */
  @Override
  public void moved(Snapshot before, Snapshot after) {
    var left = links.get(hostOf(before.state()));
    if (after.state() instanceof TaskState.Ended && left != null && left != current) {
      thread("host-retire", () -> retireIfIdle(left));
    }
  }

  /** A host of another build ends when its last task has. */
  private void retireIfIdle(HostLink link) throws InterruptedException {
    var isOld = !link.build().equals(starter.build());
    if (isOld && engine.live().stream().noneMatch(it -> hostOf(it.state()).equals(link.id()))) {
      link.shutdown(false);
    }
  }

  /** Empty if no host has it. */
  static String hostOf(TaskState state) {
    return switch (state) {
      case TaskState.Hosted it -> it.attempt().hostId();
      case TaskState.Absent _, TaskState.Held _, TaskState.Queued _, TaskState.Ended _ -> "";
    };
  }

  @Override
  public TaskCommand.Claim claim() {
    return new TaskCommand.Claim.OnHost(forNewTasks());
  }

  /** The id of the host that is to start new tasks. */
  private String forNewTasks() {
    var link = current;
    if (link != null) {
      return link.id();
    }
    try {
      return ensureCurrent().id();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.HOST_UNREACHABLE, "no host can be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ErrandException(ErrorCode.SHUTTING_DOWN, "the daemon is stopping", e);
    }
  }

  @Override
  public void start(TaskId taskId, TaskState.Hosted claimed) {
    thread("host-drive", () -> drive(taskId, claimed.attempt()));
  }

  private void drive(TaskId taskId, TaskState.Attempt attempt) throws InterruptedException {
    var link = links.get(attempt.hostId());
    if (link == null) {
      settlement.giveUpClaim(taskId, attempt);
    } else {
      link.drive(taskId);
    }
  }

  @Override
  public void end(TaskId taskId, TaskState.Hosted state, String reason) {
    var link = links.get(state.attempt().hostId());
    if (link == null) {
      return;
    }
    try {
      link.cancel(taskId, state.attempt(), reason);
    } catch (HostUnreachable e) {
      // It is recorded, and sent to the host with the next connection.
      log.info("host {} cannot be reached to cancel task {}", link.id(), taskId);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<Long> endKept(TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept) {
    try {
      return settlement.endKept(taskId, process, kept, this::ensureCurrent).survivors();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.HOST_UNREACHABLE,
          "the task is over, and no host can end the processes that it left now; try again",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ErrandException(ErrorCode.SHUTTING_DOWN, "the daemon is stopping", e);
    }
  }

  @Override
  public Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request) {
    return apply(attempt, link -> link.signal(taskId, attempt, request));
  }

  @Override
  public Applied input(TaskId taskId, TaskState.Attempt attempt, StdinRequest request) {
    return apply(attempt, link -> link.input(taskId, attempt, request));
  }

  @Override
  public Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request) {
    return apply(attempt, link -> link.resize(taskId, attempt, request));
  }

  private interface Operation {
    Applied on(HostLink link) throws HostUnreachable, InterruptedException;
  }

  private Applied apply(TaskState.Attempt attempt, Operation operation) {
    try {
      var link = links.get(attempt.hostId());
      if (link == null) {
        throw new HostUnreachable("its host is gone", null);
      }
      return operation.on(link);
    } catch (HostUnreachable e) {
      throw new ErrandException(
          ErrorCode.HOST_UNREACHABLE, "the task's host does not answer; try again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ErrandException(ErrorCode.SHUTTING_DOWN, "the daemon is stopping", e);
    }
  }

  /** What the hosts know of processes. */
  public HostedProcesses processes() {
    return new HostedProcesses(links.values());
  }

  /** How many times records of the hosts could not be committed, because of a bug. */
  public long recordFailures() {
    return links.values().stream().mapToLong(it -> it.pump().failures()).sum();
  }

  /** Ends all hosts with all their tasks; their last records are read before this returns. */
  public void shutdownAll(Duration timeout) throws InterruptedException {
    var deadline = clock.ticks() + timeout.toNanos();
    for (var link : links.values()) {
      thread("host-shutdown", () -> link.shutdown(true));
    }
    while (!engine.live().isEmpty() && clock.ticks() < deadline) {
      clock.sleep(RECONNECT_FIRST);
    }
  }

  /** How many hosts refuse requests, since they belong to another journal. */
  public int foreignHosts() {
    return foreign.count();
  }

  /** Ends them nevertheless, with their tasks; returns when that is done, or after the timeout. */
  public void endForeignHosts(Duration timeout) throws IOException, InterruptedException {
    foreign.all().forEach(it -> links.remove(it.id()));
    foreign.end(clock, timeout);
  }

  /** Disconnects from the hosts; they and their tasks continue. */
  @Override
  public void close() {
    closed = true;
    for (var link : links.values()) {
      link.pump().close();
      link.disconnect();
    }
  }

  private void untilClosed(String name, ThreadWork work) {
    thread(name, work.repeated(clock, RECONNECT_MAX, () -> closed));
  }

  private void thread(String name, ThreadWork work) {
    start(Thread.ofVirtual(), name, work);
  }

  private void start(Thread.Builder thread, String name, ThreadWork work) {
    thread
        .name(name)
        .start(() -> {
          try {
            work.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (IOException | RuntimeException e) {
            if (!closed) {
              log.error("{} failed", name, e);
            }
          }
        });
  }
}
