package dev.errand.daemon.surface.http;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.task.CancelBody;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.SignalBody;
import dev.errand.daemon.task.SizeBody;
import dev.errand.daemon.task.StdinBody;
import dev.errand.daemon.verb.KeyedCall;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** What is done to a task: each is answered only after it was applied and recorded. */
final class ControlRoutes {
  /** Larger waits are shortened, so this only keeps sums from overflowing. */
  private static final long SECONDS_MAX = 1_000_000_000;

  private final Services services;
  private final KeyedRoutes keyed;
  private final WaitSlots slots;
  private final HttpSettings settings;

  ControlRoutes(Services services, KeyedRoutes keyed, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.keyed = keyed;
    this.slots = slots;
    this.settings = settings;
  }

  Reply cancel(Call call) throws IOException, InterruptedException {
    var wait = call.queryNumber(Params.WAIT, 0, 0, SECONDS_MAX);
    var reply = keyed.once(call, once -> cancel(call, once));
    if (wait == 0 || !HttpStatus.isSuccess(reply.status())) {
      return reply;
    }
    // Waited for outside: a repeat of a cancel that was remembered long ago waits just as well.
    var taskId = call.taskId();
    var over = awaitEnd(call, taskId, Duration.ofSeconds(wait));
    return Reply.json(accepted(over), delivered(call, taskId));
  }

  private Reply.Whole cancel(Call call, KeyedCall<Reply.Whole> once) throws IOException {
    var taskId = existing(call);
    var reason = CancelBody.read(call.fields(List.of(CancelBody.REASON)));
    var by = call.caller().principal();
    return once.submit(
        guard -> services.tasks().tasks().cancel(taskId, reason, by, guard),
        it -> {
          var over = !(it.state() instanceof TaskState.Live);
          return Reply.json(accepted(over), services.tasks().views().status(it));
        });
  }

  Reply signal(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        once -> {
          var taskId = existing(call);
          once.concerns(taskId);
          var signal = SignalBody.read(call.fields(List.of(SignalBody.SIGNAL)));
          var request =
              new CommandRunner.SignalRequest(once.opId(), signal, call.caller().principal());
          services.tasks().tasks().signal(taskId, request);
          return Reply.json(HttpStatus.ACCEPTED_202, services.tasks().views().status(taskId));
        });
  }

  Reply stdin(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        once -> {
          var taskId = existing(call);
          once.concerns(taskId);
          var request =
              StdinBody.read(call.fields(StdinBody.FIELDS), once.opId(), call.caller().principal());
          var written = services.tasks().tasks().stdin(taskId, request);
          return Reply.json(
              HttpStatus.ACCEPTED_202,
              JsonNodeFactory.instance
                  .objectNode()
                  .put("task_id", taskId.value())
                  .put("bytes_written", written)
                  .put("eof", request.eof()));
        });
  }

  Reply resize(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        once -> {
          var taskId = existing(call);
          once.concerns(taskId);
          var size = SizeBody.read(call.fields(SizeBody.FIELDS));
          var request =
              new CommandRunner.ResizeRequest(once.opId(), size, call.caller().principal());
          services.tasks().tasks().resize(taskId, request);
          return Reply.json(HttpStatus.ACCEPTED_202, services.tasks().views().status(taskId));
        });
  }

  private boolean awaitEnd(Call call, TaskId taskId, Duration wanted) throws InterruptedException {
    var waitMax = settings.waitMax();
    var bounded = wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
    try (var _ = slots.take(call.caller())) {
      return services.tasks().tasks().awaitEnd(taskId, bounded);
    }
  }

  private byte[] delivered(Call call, TaskId taskId) {
    var row = services.tasks().views().rowOf(taskId);
    var status = services.tasks().views().status(row);
    ResultsRead.note(services, row, call);
    return status;
  }

  private static int accepted(boolean over) {
    return over ? HttpStatus.OK_200 : HttpStatus.ACCEPTED_202;
  }

  /** The task in the path; one that is not there is answered with what became of it. */
  private TaskId existing(Call call) {
    return services.tasks().views().rowOf(call.taskId()).id();
  }
}
