package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.ArtifactBorder;
import dev.errand.daemon.access.Caller;
import dev.errand.daemon.access.Reach;
import dev.errand.daemon.access.Trust;

/**
 * Keeps callers to what is theirs. Whose token is bound to a session reaches its tasks and what
 * these have started: all else looks as if it were not there, so that nothing can be learned by
 * trying ids.
 */
final class Borders {
  private final Engine engine;
  private final Journal journal;

  Borders(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  /** To be asked before the route answers. */
  void check(Route route, Call call) {
    if (route.access() == Route.Access.OWNER && !call.caller().isOwner()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this is for the owner of the daemon: profile full-auto, bound to no session, and not"
              + " from inside a task");
    }
    var bound = call.caller().boundTo();
    if (route.access() == Route.Access.READ_ALL && bound != null) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this tells of all sessions, and the token is for session " + bound.value() + " only");
    }
    if (bound != null && !call.id().isEmpty()) {
      checkInside(route, call, bound);
    }
    if (route.access() == Route.Access.CONTROL
        && route.parts().getFirst().equals("tasks")
        && !call.id().isEmpty()) {
      Trust.check(engine, call.caller(), call.taskId());
    }
    if (route.access() == Route.Access.CONTROL && route.parts().getFirst().equals("sessions")) {
      checkOwn(call.caller(), call.id());
    }
  }

  /** To end a session, to acknowledge for it or to send its notices on is not for everybody. */
  private static void checkOwn(Caller caller, String sessionId) {
    if (!caller.isOwner() && !caller.session().value().equals(sessionId)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this is for session " + Printable.of(sessionId) + " itself or the owner of the daemon");
    }
  }

  private void checkInside(Route route, Call call, SessionId bound) {
    switch (route.parts().getFirst()) {
      case "tasks" -> checkTask(call.taskId(), bound);
      case "logs" -> checkTask(Call.taskId(call.id().split("\\.", 2)[0]), bound);
      case "artifacts" -> ArtifactBorder.check(journal, call.id(), bound, true);
      case "sessions" -> checkSession(call.id(), bound);
      default -> {}
    }
  }

  /** A foreign session looks as one that nobody has used. */
  private static void checkSession(String sessionId, SessionId bound) {
    if (!bound.value().equals(sessionId)) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND,
          "there is no session %s; a session begins with its first task"
              .formatted(Printable.of(sessionId)));
    }
  }

  private void checkTask(TaskId taskId, SessionId bound) {
    if (!Reach.covers(journal, bound, taskId)) {
      throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
    }
  }
}
