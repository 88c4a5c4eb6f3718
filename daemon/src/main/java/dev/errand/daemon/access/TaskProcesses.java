package dev.errand.daemon.access;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.LimitMechanisms;
import dev.errand.host.process.Tag;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Finds out whether a process belongs to a task of this daemon.
 *
 * <p>The most reliable sign is the tag, which a process inherits whatever it does to its
 * environment, session and parents; then an ancestor or a session leader that is a task's own
 * process, and the control group of a task with limits. A process that removed its tag still
 * belongs to some task if a host is among its ancestors (orphans of tasks become children of their
 * host) or its hard limit is that of a host. The task id in its environment counts last, since any
 * process can set it.
 */
public final class TaskProcesses implements CommitListener {
  private static final String TASK_ID = "ERRAND_TASK_ID";
  private static final int ANCESTORS_MAX = 64;

  /** Leftover processes of ended tasks stay known; beyond this number the oldest are dropped. */
  private static final int ENDED_TAGS_MAX = 10_000;

  /** How long a process waits for the record of its task's start to be read. */
  static final Duration BEGINNING_MAX = Duration.ofSeconds(5);

  private static final Duration BEGINNING_PAUSE = Duration.ofMillis(2);

  private final Engine engine;
  private final long mark;
  private final Time clock;
  private final long ownHardLimit = Tag.ownHardLimit();
  private volatile Predicate<ProcFs.Stat> isHost = _ -> false;
  private final Map<Long, Leader> leaders = new ConcurrentHashMap<>();
  private final Map<Long, TaskId> tags = new ConcurrentHashMap<>();
  private final Map<Long, TaskId> endedTags = Collections.synchronizedMap(new EndedTags());

  private record Leader(TaskId taskId, long startTicks) {}

  public TaskProcesses(Engine engine, String journalId, Time clock) {
    this.engine = engine;
    this.mark = Tag.mark(journalId);
    this.clock = clock;
  }

  /** Adds the tasks that run already, and sets how hosts are recognized. */
  public void start(Predicate<ProcFs.Stat> hosts) {
    isHost = hosts;
    engine.live().forEach(it -> running(it.taskId(), it.state()));
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    var taskId = after.taskId();
    if (before.state() instanceof TaskState.Running it
        && !(after.state() instanceof TaskState.Running)) {
      leaders.remove(it.process().pid(), leader(taskId, it.process()));
      // In this order, so that the task is known at every moment in between.
      if (taskId.equals(tags.get(it.process().tag()))) {
        endedTags.put(it.process().tag(), taskId);
        tags.remove(it.process().tag());
      }
    }
    if (!(before.state() instanceof TaskState.Running)) {
      running(taskId, after.state());
    }
  }

  private void running(TaskId taskId, TaskState state) {
    if (state instanceof TaskState.Running it) {
      leaders.put(it.process().pid(), leader(taskId, it.process()));
      if (it.process().tag() != 0) {
        tags.put(it.process().tag(), taskId);
      }
    }
  }

  private static Leader leader(TaskId taskId, ProcessIdentity process) {
    return new Leader(taskId, process.startTicks());
  }

  /** The task that this process belongs to; empty if it belongs to none of this daemon. */
  public Optional<TaskId> taskOf(long pid) {
    return byTag(Tag.ofProcess(pid)).or(() -> byKin(pid)).or(() -> byEnvironment(pid));
  }

  /** The owner of the process that sent a request. */
  public sealed interface Owner {
    record Task(TaskId taskId) implements Owner {}

    /** A process of a task, but it is not known of which, or not yet. */
    record Unknown() implements Owner {}

    /** A process of a task that may still run, but it removed the signs of which. */
    record Unmarked() implements Owner {}

    /** A process outside all tasks. */
    record None() implements Owner {}
  }

  /** As {@link #taskOf}, but waits for a process whose start is not recorded yet. */
  public Owner ownerOf(long pid) {
    var tag = Tag.ofProcess(pid);
    var ours = tag != 0 && Tag.markOf(tag) == mark;
    if (ours) {
      return awaitKnown(tag).<Owner>map(Owner.Task::new).orElseGet(Owner.Unknown::new);
    }
    return byTag(tag)
        .or(() -> byKin(pid))
        .or(() -> byTag(LimitMechanisms.tagOf(pid)))
        .<Owner>map(Owner.Task::new)
        .orElseGet(() -> unmarked(pid));
  }

  /**
   * The ended task that this process belongs to and outlived; empty for all others. If the task of
   * the tag is unknown, the environment may name it.
   */
  public Optional<TaskId> leftBy(long pid) {
    var tag = Tag.ofProcess(pid);
    if (tag == 0 || Tag.markOf(tag) != mark || tags.containsKey(tag)) {
      return Optional.empty();
    }
    return Optional.ofNullable(endedTags.get(tag))
        .or(() -> byEnvironment(pid).filter(it -> !engine.isLive(it)));
  }

  /** The environment is not used: it could name a task with a higher profile. */
  private Owner unmarked(long pid) {
    if (isBelowHost(pid) || Tag.comesFromHost(pid, ownHardLimit, mark)) {
      return new Owner.Unmarked();
    }
    return byEnvironment(pid).<Owner>map(Owner.Task::new).orElseGet(Owner.None::new);
  }

  private boolean isBelowHost(long pid) {
    var at = ProcFs.stat(pid);
    for (var i = 0; i < ANCESTORS_MAX && at.isPresent(); i++) {
      at = ProcFs.stat(at.get().parent());
      if (at.filter(isHost).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private Optional<TaskId> awaitKnown(long tag) {
    var deadline = clock.ticks() + BEGINNING_MAX.toNanos();
    var task = byTag(tag);
    try {
      while (task.isEmpty() && clock.ticks() < deadline) {
        clock.sleep(BEGINNING_PAUSE);
        task = byTag(tag);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return task;
  }

  private Optional<TaskId> byTag(long tag) {
    return tag == 0
        ? Optional.empty()
        : Optional.ofNullable(tags.get(tag)).or(() -> Optional.ofNullable(endedTags.get(tag)));
  }

  private Optional<TaskId> byKin(long pid) {
    var at = pid;
    for (var i = 0; i < ANCESTORS_MAX && at > 1; i++) {
      var stat = ProcFs.stat(at);
      if (stat.isEmpty()) {
        return Optional.empty();
      }
      var task =
          leading(stat.get()).or(() -> ProcFs.stat(stat.get().session()).flatMap(this::leading));
      if (task.isPresent()) {
        return task;
      }
      at = stat.get().parent();
    }
    return Optional.empty();
  }

  private Optional<TaskId> leading(ProcFs.Stat stat) {
    var leader = leaders.get(stat.pid());
    return leader != null && leader.startTicks() == stat.startTicks()
        ? Optional.of(leader.taskId())
        : Optional.empty();
  }

  private Optional<TaskId> byEnvironment(long pid) {
    return ProcFs.variable(pid, TASK_ID).flatMap(TaskProcesses::parse).filter(this::isOurs);
  }

  private static Optional<TaskId> parse(String text) {
    try {
      return Optional.of(new TaskId(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private boolean isOurs(TaskId taskId) {
    return engine.snapshot(taskId).state() instanceof TaskState.Present;
  }

  /** In the order of their ends; the oldest is removed first. */
  private static final class EndedTags extends LinkedHashMap<Long, TaskId> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, TaskId> eldest) {
      return size() > ENDED_TAGS_MAX;
    }
  }
}
