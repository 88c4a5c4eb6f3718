package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Caller;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/** The answers of people to tasks that are held. */
final class ApprovalRoutes {
  private static final int REASON_CHARS_MAX = 1_000;

  private final Services services;
  private final KeyedRoutes keyed;

  ApprovalRoutes(Services services, KeyedRoutes keyed) {
    this.services = services;
    this.keyed = keyed;
  }

  Reply approve(Call call) throws IOException, InterruptedException {
    checkMayAnswer(call.caller());
    return keyed.once(
        call,
        once -> {
          var taskId = existing(call);
          call.fields(List.of());
          var by = call.caller().principal();
          return once.submit(
              guard -> services.tasks().spawns().approve(taskId, by, guard), this::status);
        });
  }

  Reply deny(Call call) throws IOException, InterruptedException {
    checkMayAnswer(call.caller());
    return keyed.once(
        call,
        once -> {
          var taskId = existing(call);
          var given = call.fields(List.of("reason")).text("reason", REASON_CHARS_MAX);
          var reason = given == null || given.isBlank() ? "denied" : given;
          var by = call.caller().principal();
          return once.submit(
              guard -> services.tasks().tasks().deny(taskId, reason, by, guard), this::status);
        });
  }

  /** Whoever has to ask must not be the one who answers, in person or through its own task. */
  private static void checkMayAnswer(Caller caller) {
    if (caller.profile() != Profile.FULL_AUTO || caller.inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "only a person may answer: a caller of the profile full-auto that is not a task itself");
    }
  }

  private Reply.Whole status(Snapshot snapshot) {
    return Reply.json(HttpStatus.OK_200, services.tasks().views().status(snapshot));
  }

  private TaskId existing(Call call) {
    return services.tasks().views().rowOf(call.taskId()).id();
  }
}
