package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a caller may do. A caller whose token is bound to a session can access its tasks and
 * those that they started: everything else appears not to exist, so that trying ids reveals
 * nothing.
 */
public final class Authorizer {
  private final Engine engine;
  private final Journal journal;

  public Authorizer(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  /** Must be called before a verb runs; {@code name} is its target, empty if it has none. */
  void check(Access access, Ask ask, String name) {
    var caller = ask.caller();
    if (caller.equals(Caller.NOBODY) && !(access instanceof Access.Open)) {
      throw new ErrandException(
          ErrorCode.UNAUTHENTICATED, "this requires authentication; send a token");
    }
    switch (access) {
      case Access.Open _,
          Access.Common _,
          Access.Spawns _,
          Access.Filtered _,
          Access.ControlsOwn _ -> {}
      case Access.Reads(var target) -> checkReach(target, ask, name);
      case Access.Controls(var target) -> {
        checkReach(target, ask, name);
        checkControl(target, caller, name);
      }
      case Access.ControlsFromOutside(var target) -> {
        checkReach(target, ask, name);
        checkControl(target, caller, name);
        checkOutside(caller);
      }
      case Access.Decides(var target) -> {
        checkReach(target, ask, name);
        checkPerson(caller);
      }
      case Access.AllSessions _ -> checkUnbound(caller);
      case Access.Owner _ -> checkOwner(caller);
    }
  }

  private static void checkOwner(Caller caller) {
    if (!caller.isOwner()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "only the owner of the daemon may do this: profile full-auto, bound to no session, and not"
              + " from inside a task");
    }
  }

  private static void checkOutside(Caller caller) {
    if (caller.inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "a task may not change this, because it outlives tasks");
    }
  }

  /** A caller that needs approval must not answer, neither itself nor through its own task. */
  private static void checkPerson(Caller caller) {
    if (caller.profile() != Profile.FULL_AUTO || caller.inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "only a person may answer: a caller of the profile full-auto that is not a task itself");
    }
  }

  private static void checkUnbound(Caller caller) {
    var bound = caller.boundTo();
    if (bound != null) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this shows all sessions, and the token is limited to session " + bound.value());
    }
  }

  private void checkReach(Access.Target target, Ask ask, String name) {
    var reach = ask.reach();
    if (reach == null) {
      return;
    }
    var reached = reached(ask);
    switch (target) {
      case TASK -> checkTask(taskId(name), reached);
      case LOG -> checkTask(taskId(name.split("\\.", 2)[0]), reached);
      case ARTIFACT -> checkArtifact(name, reached);
      case SESSION -> checkSession(name, reach);
    }
  }

  private void checkControl(Access.Target target, Caller caller, String name) {
    switch (target) {
      case TASK -> checkTrust(caller, taskId(name));
      case SESSION -> checkOwn(caller, name);
      case LOG, ARTIFACT ->
          throw new IllegalStateException("logs and artifacts are never changed: " + target);
    }
  }

  /**
   * A caller cannot control a task that runs with a higher profile than its own: input can be a
   * command to the program, and ending the task is control as well.
   */
  void checkTrust(Caller caller, TaskId taskId) {
    if (caller.profile() == Profile.FULL_AUTO
        || !(engine.snapshot(taskId).state() instanceof TaskState.Present it)) {
      return;
    }
    var ruling = it.facts().spec().ruling();
    var trusted = ruling == null ? Profile.FULL_AUTO : ruling.profile();
    if (trusted.atMost(caller.profile()) != trusted) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "the task runs with the profile %s; a caller with the profile %s may only read it"
              .formatted(trusted.word(), caller.profile().word()));
    }
  }

  /** The same check for any task; null if this caller may control all of them. */
  @Nullable Consumer<TaskId> trust(Caller caller) {
    return caller.profile() == Profile.FULL_AUTO ? null : it -> checkTrust(caller, it);
  }

  /** Ending a session, acknowledging for it and sending its notices elsewhere are restricted. */
  private static void checkOwn(Caller caller, String sessionId) {
    if (!caller.isOwner() && !caller.session().value().equals(sessionId)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "only session " + Printable.of(sessionId) + " or the owner of the daemon may do this");
    }
  }

  /** A foreign session looks like one that was never used. */
  private static void checkSession(String sessionId, SessionId bound) {
    if (!bound.value().equals(sessionId)) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND,
          "there is no session %s; a session begins with its first task"
              .formatted(Printable.of(sessionId)));
    }
  }

  private static void checkTask(TaskId taskId, ReachFilter reached) {
    if (!reached.covers(taskId)) {
      throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
    }
  }

  private static void checkArtifact(String sha256, ReachFilter reached) {
    if (!reached.coversArtifact(sha256)) {
      throw new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact");
    }
  }

  /** The filter of what this call may show. */
  ReachFilter reached(Ask ask) {
    return new ReachFilter(journal, ask.reach(), ask.caller().boundTo() != null);
  }

  /** The task of this id; a text that is no id names no task. */
  public static TaskId taskId(String text) {
    try {
      return new TaskId(text);
    } catch (IllegalArgumentException _) {
      throw new ErrandException(
          ErrorCode.TASK_NOT_FOUND, "there is no task of this id; ids are whole UUIDs here");
    }
  }
}
