package dev.errand.core.task;

import static dev.errand.core.error.ErrorCode.TASK_NOT_FOUND;

import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskState.Absent;
import dev.errand.core.task.TaskState.Claimed;
import dev.errand.core.task.TaskState.Ended;
import dev.errand.core.task.TaskState.Held;
import dev.errand.core.task.TaskState.Hosted;
import dev.errand.core.task.TaskState.Live;
import dev.errand.core.task.TaskState.Present;
import dev.errand.core.task.TaskState.Queued;
import java.util.ArrayList;
import java.util.List;

/** Decides what a command does to a task. It answers and changes nothing. */
public final class TaskDecider {

  private TaskDecider() {}

  public static Decision decide(TaskState state, TaskCommand command) {
    return switch (command) {
      case TaskCommand.Spawn it -> spawn(state, it);
      case TaskCommand.Approve it -> ApprovalDecider.approve(state, it);
      case TaskCommand.Deny it -> ApprovalDecider.deny(state, it);
      case TaskCommand.ApprovalExpired it -> ApprovalDecider.expired(state, it);
      case TaskCommand.Claim it -> claim(state, it);
      case TaskCommand.Cancel it -> cancel(state, it);
      case TaskCommand.Report it -> report(state, it.facts());
      case TaskCommand.Index it -> index(state, it);
      case TaskCommand.HostLeft it -> hostLeft(state, it);
      case TaskCommand.HostLost it -> hostLost(state, it);
      case TaskCommand.OutputLost it -> outputLost(state, it);
      case TaskCommand.RecordDamaged it -> recordDamaged(state, it);
      case TaskCommand.Watched it -> WatchDecider.watched(state, it);
      case TaskCommand.MarkReady it -> WatchDecider.ready(state, it);
      case TaskCommand.SeePrompt it -> WatchDecider.prompt(state, it);
      case TaskCommand.DependencyFailed it -> dependencyFailed(state, it);
    };
  }

  private static Decision spawn(TaskState state, TaskCommand.Spawn command) {
    return switch (state) {
      case Absent _ -> {
        var spawned = new TaskEvent.Spawned(command.spec());
        var claim = command.claim();
        // A task that needs approval takes no capacity, even if the caller reserved some.
        yield claim == null || ApprovalDecider.isAsked(command.spec())
            ? Decision.accept(spawned)
            : Decision.accept(spawned, claimed(claim, 1));
      }
      case Present _ ->
          Decision.refuse(ErrorCode.INVALID_REQUEST, "there is a task of this id already");
    };
  }

  private static Decision dependencyFailed(TaskState state, TaskCommand.DependencyFailed command) {
    return switch (state) {
      case Absent _ -> noSuchTask();
      case Queued _ ->
          Decision.accept(
              new TaskEvent.Ended(
                  new End.NotStarted("dependency_failed", command.detail(), command.atMs())));
      // It runs or is over, or a person is asked first and may still refuse it.
      case Held _, Hosted _, Ended _ -> Decision.accept();
    };
  }

  private static Decision claim(TaskState state, TaskCommand.Claim command) {
    return switch (state) {
      case Absent _ -> noSuchTask();
      case Queued it -> Decision.accept(claimed(command, it.facts().attempts() + 1));
      // It was claimed by another thread or cancelled, so there is nothing to claim.
      case Held _, Hosted _, Ended _ -> Decision.accept();
    };
  }

  private static TaskEvent claimed(TaskCommand.Claim command, int attempt) {
    return switch (command) {
      case TaskCommand.Claim.OnHost(var hostId) -> new TaskEvent.Attempted(attempt, hostId);
    };
  }

  private static Decision cancel(TaskState state, TaskCommand.Cancel command) {
    return switch (state) {
      case Absent _ -> noSuchTask();
      case Held it -> cancelUnstarted(it, command);
      case Queued it -> cancelUnstarted(it, command);
      case Hosted it -> requestCancel(it, command);
      // Repeated after a lost reply, so it must change nothing.
      case Ended _ -> Decision.accept();
    };
  }

  /** There is no process to wait for, so it is done at once. */
  private static Decision cancelUnstarted(Live state, TaskCommand.Cancel command) {
    var requested = new TaskEvent.CancelRequested(command.reason(), command.by());
    var events = new ArrayList<TaskEvent>(List.of(requested));
    var asked = (Live) TaskFold.evolve(state, requested, command.atMs());
    events.addAll(Ends.cancelled(asked.facts(), null, command.atMs()));
    return new Decision.Accepted(events);
  }

  private static Decision requestCancel(Live state, TaskCommand.Cancel command) {
    return state.facts().cancel() != null
        ? Decision.accept()
        : Decision.accept(new TaskEvent.CancelRequested(command.reason(), command.by()));
  }

  /** Facts are decided one by one, each on the state that the ones before it lead to. */
  private static Decision report(TaskState state, List<HostFact> facts) {
    if (state instanceof Absent) {
      return noSuchTask();
    }
    var events = new ArrayList<TaskEvent>();
    var current = state;
    for (var fact : facts) {
      if (!(current instanceof Live live) || !isNews(live, fact)) {
        continue;
      }
      for (var event : FactDecider.eventsOf(live, fact)) {
        events.add(event);
        current = TaskFold.evolve(current, event, 0);
      }
    }
    return new Decision.Accepted(events);
  }

  static boolean isNews(Live state, HostFact fact) {
    return switch (state) {
      case Held _, Queued _ -> false;
      case Hosted it -> isNews(it.attempt(), fact);
    };
  }

  private static boolean isNews(TaskState.Attempt attempt, HostFact fact) {
    return fact.attempt() == attempt.number() && fact.n() > attempt.lastRecord();
  }

  private static Decision index(TaskState state, TaskCommand.Index command) {
    if (!isUnderWay(state, command.attempt())) {
      return Decision.accept();
    }
    var live = (Live) state;
    var events = new ArrayList<TaskEvent>();
    for (var tail : command.tails()) {
      events.addAll(FactDecider.indexed(live, tail));
    }
    return new Decision.Accepted(events);
  }

  private static Decision hostLeft(TaskState state, TaskCommand.HostLeft command) {
    if (!(state instanceof Claimed it) || it.attempt().number() != command.attempt()) {
      return Decision.accept();
    }
    return it.facts().cancel() != null
        ? new Decision.Accepted(Ends.cancelled(it.facts(), null, command.atMs()))
        : Decision.accept(new TaskEvent.Requeued(command.attempt(), "host_gone", List.of()));
  }

  private static Decision hostLost(TaskState state, TaskCommand.HostLost command) {
    if (!isUnderWay(state, command.attempt())) {
      return Decision.accept();
    }
    var live = (Live) state;
    var facts = live.facts();
    // The next attempt writes on where the log is known to end, so all of it must be known first.
    var events = new ArrayList<TaskEvent>(FactDecider.left(live, command.logs()));
    var allDead = command.survivors().isEmpty();
    if (runsAgain(facts, command.survivors())) {
      events.add(new TaskEvent.Requeued(command.attempt(), "host_lost", command.killed()));
      return new Decision.Accepted(events);
    }
    events.addAll(Ends.artifacts(command.logs()));
    if (facts.cancel() != null && allDead) {
      events.addAll(Ends.cancelled(facts, null, command.atMs()));
    } else {
      var lost = new End.Lost(command.killed(), command.survivors(), command.atMs());
      events.add(new TaskEvent.Ended(lost));
    }
    return new Decision.Accepted(events);
  }

  /**
   * Whether a task whose host is lost gets another attempt; never while a process of the last one
   * lives.
   */
  public static boolean runsAgain(TaskFacts facts, List<Long> survivors) {
    return facts.cancel() == null && isRepeatable(facts.spec().work()) && survivors.isEmpty();
  }

  /** Whether it may begin again from the beginning, as its caller said. */
  private static boolean isRepeatable(Work work) {
    return switch (work) {
      case Command it -> it.onRestart() == Command.OnRestart.REQUEUE;
    };
  }

  private static Decision outputLost(TaskState state, TaskCommand.OutputLost command) {
    return switch (state) {
      case Absent _ -> noSuchTask();
      case Ended _ -> Decision.accept();
      case Live it -> {
        var log = it.facts().logs().of(command.stream());
        var to = Math.min(command.to(), log.bytesTotal());
        // A repeated recovery finds the same missing range again.
        yield command.from() >= to || log.hasLost(command.from(), to)
            ? Decision.accept()
            : Decision.accept(new TaskEvent.OutputLost(command.stream(), command.from(), to));
      }
    };
  }

  private static Decision recordDamaged(TaskState state, TaskCommand.RecordDamaged command) {
    return switch (state) {
      case Absent _ -> noSuchTask();
      case Ended _ -> Decision.accept();
      case Live _ ->
          Decision.accept(
              new TaskEvent.Ended(
                  new End.Corrupt(
                      command.fromSeq(), command.killed(), command.survivors(), command.atMs())));
    };
  }

  private static boolean isUnderWay(TaskState state, int attempt) {
    return switch (state) {
      case Absent _, Held _, Queued _, Ended _ -> false;
      case Hosted it -> it.attempt().number() == attempt;
    };
  }

  static Decision noSuchTask() {
    return Decision.refuse(TASK_NOT_FOUND, "there is no task of this id");
  }
}
