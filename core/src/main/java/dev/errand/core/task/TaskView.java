package dev.errand.core.task;

import dev.errand.core.task.TaskState.CancelRequest;
import dev.errand.core.task.WatchProgress.Prompt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of one task for every surface, tool and list: folded from its frames, with computed
 * values added. Each case has the fields that are known in it, and no others.
 */
public sealed interface TaskView {

  Facts facts();

  /** A person has to approve before it may run. */
  record Held(Facts facts, long untilMs) implements TaskView {}

  /**
   * It waits for its turn, or for its host to start it.
   *
   * @param place its position in the queue; absent if it waits for nothing, or was not computed
   */
  record Queued(Facts facts, @Nullable QueuePlace place) implements TaskView {}

  /**
   * Its process is there.
   *
   * @param prompt what its terminal seems to ask; absent while it does not seem to wait
   */
  record Running(Facts facts, long startedAtMs, long pid, @Nullable Prompt prompt)
      implements TaskView {}

  /** Over, for ever; {@code startedAtMs} is 0 where no process was ever seen. */
  record Ended(Facts facts, long startedAtMs, End end) implements TaskView {}

  /** What is known in every state. */
  record Facts(
      TaskId id,
      Origin origin,
      Work work,
      Grouping grouping,
      Progress progress,
      Findings findings) {

    Facts with(Findings other) {
      return new Facts(id, origin, work, grouping, progress, other);
    }
  }

  /** Who asked for it and when, the names it was given, and what the policy said. */
  record Origin(
      SessionId sessionId,
      @Nullable String label,
      @Nullable String title,
      long createdAtMs,
      @Nullable Ruling ruling) {}

  /** What it runs; one case for each kind of task. */
  sealed interface Work {
    TaskKind kind();

    /** The caller's word for it. */
    String tool();

    /** The work as one line, for lists. */
    String line();

    /** The folder that it works in. */
    String cwd();

    /** Whether it runs at a terminal. */
    boolean hasTerminal();
  }

  /**
   * A program as one line, and how it is connected.
   *
   * @param terminal the size of its terminal now; absent where it has none
   */
  record OfCommand(
      String tool,
      String line,
      String cwd,
      Command.ExecutionMode mode,
      boolean stdin,
      Command.OnRestart onRestart,
      @Nullable TerminalSize terminal)
      implements Work {
    @Override
    public TaskKind kind() {
      return TaskKind.COMMAND;
    }

    @Override
    public boolean hasTerminal() {
      return terminal != null;
    }
  }

  /** The tasks that it belongs with. */
  record Grouping(
      @Nullable String lane,
      Plan.Priority priority,
      @Nullable String batchId,
      @Nullable TaskId parent,
      boolean service) {}

  /**
   * How far it has come.
   *
   * @param lastSeq the frame after which it stands so
   * @param readyAtMs when it became ready; 0 until then
   */
  record Progress(
      int attempts, long lastSeq, List<Log> logs, @Nullable CancelRequest cancel, long readyAtMs) {
    public Progress {
      logs = List.copyOf(logs);
    }
  }

  /** One log; its artifact is there once the task is over and something was stored. */
  record Log(LogStream stream, long bytesTotal, long bytesStored, @Nullable String artifactId) {
    public static Log of(Logs.Log log) {
      var end = log.end();
      return new Log(
          log.stream(), log.bytesTotal(), log.bytesStored(), end == null ? null : end.sha256());
    }

    /** Whether bytes of it are gone. */
    public boolean truncated() {
      return bytesStored < bytesTotal;
    }
  }

  /**
   * What is no part of its frames.
   *
   * @param corruptFrom the first frame that cannot be read any more; absent where all can
   * @param escaped processes that may be of this task, or of another that ran at the same time
   */
  record Findings(@Nullable Long corruptFrom, List<EscapedProcess> escaped) {
    public static final Findings NONE = new Findings(null, List.of());

    public Findings {
      escaped = List.copyOf(escaped);
    }
  }

  /** By its pid and the name of its program. */
  record EscapedProcess(long pid, String name) {}

  /** As the frames alone tell it, up to {@code lastSeq}. */
  static TaskView of(TaskId id, TaskState.Present state, long lastSeq) {
    var facts = facts(id, state.facts(), lastSeq);
    return switch (state) {
      case TaskState.Held it -> new Held(facts, it.untilMs());
      case TaskState.Queued _, TaskState.Claimed _ -> new Queued(facts, null);
      case TaskState.Running it ->
          new Running(
              facts, it.facts().startedAtMs(), it.process().pid(), it.facts().watched().prompt());
      case TaskState.Ended it -> new Ended(facts, it.facts().startedAtMs(), shown(it.end()));
    };
  }

  private static Facts facts(TaskId id, TaskFacts facts, long lastSeq) {
    var spec = facts.spec();
    var origin = spec.origin();
    var plan = spec.plan();
    return new Facts(
        id,
        new Origin(
            origin.sessionId(), origin.label(), origin.title(), facts.spawnedAtMs(), spec.ruling()),
        work(facts),
        new Grouping(plan.lane(), plan.priority(), plan.batchId(), plan.parent(), plan.service()),
        new Progress(
            facts.attempts(),
            lastSeq,
            facts.logs().list().stream().map(Log::of).toList(),
            facts.cancel(),
            facts.watched().readyAtMs()),
        Findings.NONE);
  }

  private static Work work(TaskFacts facts) {
    return switch (facts.spec().work()) {
      case Command it ->
          new OfCommand(
              it.toolName(),
              it.invocation().commandLine(),
              it.cwd(),
              it.io().mode(),
              it.io().stdin(),
              it.onRestart(),
              facts.terminal());
    };
  }

  /** Why the host killed it is told by its last frame alone. */
  private static End shown(End end) {
    return switch (end) {
      case End.Exited it -> new End.Exited(it.exit().withoutKillReason(), it.atMs());
      case End.LimitPassed it ->
          new End.LimitPassed(it.limit(), it.exit().withoutKillReason(), it.atMs());
      case End.Cancelled it -> {
        var exit = it.exit();
        yield exit == null
            ? it
            : new End.Cancelled(it.reason(), it.by(), exit.withoutKillReason(), it.atMs());
      }
      case End.NotStarted _, End.Lost _, End.Corrupt _, End.Denied _, End.ApprovalExpired _ -> end;
    };
  }

  default TaskId id() {
    return facts().id();
  }

  default StatusWord status() {
    return switch (this) {
      case Held _, Queued _ -> StatusWord.QUEUED;
      case Running _ -> StatusWord.RUNNING;
      case Ended it -> StatusWord.of(it.end());
    };
  }

  default boolean isOver() {
    return this instanceof Ended;
  }

  /** How it ended; absent while it is not over. */
  default @Nullable End end() {
    return this instanceof Ended it ? it.end() : null;
  }

  /** Whether its process ended by itself with exit code 0. */
  default boolean isSuccess() {
    var end = end();
    return end != null && end.isSuccess();
  }

  /** Whether it is over and was to become ready before, by this request, but never did. */
  default boolean missedReadiness(TaskSpec spec) {
    return isOver() && spec.watching().readyWhen() != null && facts().progress().readyAtMs() == 0;
  }

  /** How its process ended; absent if there was none, or it is unknown. */
  default @Nullable Exit exit() {
    var end = end();
    return end == null ? null : end.exit();
  }

  /** What became of processes that outlived its own. */
  default Exit.Leftovers leftovers() {
    var exit = exit();
    return exit == null ? Exit.Leftovers.NONE : exit.leftovers();
  }

  /** When its process started; 0 where none was seen, or another attempt is to come. */
  default long startedAtMs() {
    return switch (this) {
      case Held _, Queued _ -> 0;
      case Running it -> it.startedAtMs();
      case Ended it -> it.startedAtMs();
    };
  }

  /** How many bytes each of its streams has had. */
  default long bytesTotal() {
    return facts().progress().logs().stream().mapToLong(Log::bytesTotal).sum();
  }

  /** The same at that place in the queue. */
  default TaskView at(@Nullable QueuePlace place) {
    return this instanceof Queued it ? new Queued(it.facts(), place) : this;
  }

  /** The same with these findings. Of an end as corrupt, the first bad frame is a part. */
  default TaskView with(Findings findings) {
    var from = findings.corruptFrom();
    if (this instanceof Ended ended && from != null && ended.end() instanceof End.Corrupt it) {
      var end = new End.Corrupt(from, it.killed(), it.survivors(), it.atMs());
      return new Ended(ended.facts(), ended.startedAtMs(), end)
          .with(new Findings(null, findings.escaped()));
    }
    var facts = facts().with(findings);
    return switch (this) {
      case Held it -> new Held(facts, it.untilMs());
      case Queued it -> new Queued(facts, it.place());
      case Running it -> new Running(facts, it.startedAtMs(), it.pid(), it.prompt());
      case Ended it -> new Ended(facts, it.startedAtMs(), it.end());
    };
  }
}
