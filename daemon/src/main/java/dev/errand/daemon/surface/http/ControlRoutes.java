package dev.errand.daemon.surface.http;

import dev.errand.core.task.TaskView;
import dev.errand.daemon.verb.ApproveTask;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.DenyTask;
import dev.errand.daemon.verb.RemoveTask;
import dev.errand.daemon.verb.ResizeTerminal;
import dev.errand.daemon.verb.SignalTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WriteStdin;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.StatusWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** Operations that change a task. */
final class ControlRoutes {
  /** Longer waits are shortened, which only keeps sums from overflowing. */
  private static final long SECONDS_MAX = 1_000_000_000;

  private final Verbs.OfTasks verbs;
  private final HttpSettings settings;

  ControlRoutes(Verbs.OfTasks verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.remove(), "DELETE", "/tasks/{id}", this::remove)
            .about("Removes a task that is over, with its logs and frames.")
            .givesOther(204, ""),
        Route.of(verbs.approve(), "POST", "/tasks/{id}/approve", this::approve)
            .about("Lets a held task run.")
            .gives(200, "Status"),
        Route.of(verbs.deny(), "POST", "/tasks/{id}/deny", this::deny)
            .about("Refuses a held task.")
            .takes("Reason")
            .gives(200, "Status"),
        Route.of(verbs.cancel(), "POST", "/tasks/{id}/cancel", this::cancel)
            .query("wait")
            .about("Cancels a task; 202 while it is not over yet.")
            .takes("Reason")
            .gives(200, "Status")
            .gives(202, "Status"),
        Route.of(verbs.signal(), "POST", "/tasks/{id}/signal", this::signal)
            .about("Sends a signal to the processes of a task.")
            .takes("Signal")
            .gives(202, "Status"),
        Route.of(verbs.stdin(), "POST", "/tasks/{id}/stdin", this::stdin)
            .about("Writes to the standard input of a task, or types at its terminal.")
            .takes("Stdin")
            .gives(202, "Written"),
        Route.of(verbs.resize(), "POST", "/tasks/{id}/resize", this::resize)
            .about("Changes the size of a task's terminal.")
            .takes("Size")
            .gives(202, "Status"));
  }

  private Reply remove(Call call) throws IOException, InterruptedException {
    var request = new RemoveTask.Request(call.taskId(), "removed by request");
    verbs.remove().run(call.ask(), request);
    return Reply.nothing(HttpStatus.NO_CONTENT_204);
  }

  private Reply approve(Call call) throws IOException, InterruptedException {
    var request = new ApproveTask.Request(call.taskId());
    call.fields(List.of());
    return status(HttpStatus.OK_200, verbs.approve().run(call.ask(), request));
  }

  private Reply deny(Call call) throws IOException, InterruptedException {
    var request = DenyTask.Request.read(call.taskId(), call.fields(List.of(DenyTask.REASON)));
    return status(HttpStatus.OK_200, verbs.deny().run(call.ask(), request));
  }

  private Reply cancel(Call call) throws IOException, InterruptedException {
    var seconds = call.queryNumber(Params.WAIT, 0, 0, SECONDS_MAX);
    var wanted = Duration.ofSeconds(seconds);
    var waitMax = settings.waitMax();
    var patience = wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
    var fields = call.fields(List.of(CancelTask.REASON));
    var request = CancelTask.Request.read(call.taskId(), fields, patience);
    var view = verbs.cancel().run(call.ask(), request);
    return status(view.isOver() ? HttpStatus.OK_200 : HttpStatus.ACCEPTED_202, view);
  }

  private Reply signal(Call call) throws IOException, InterruptedException {
    var request = SignalTask.Request.read(call.taskId(), call.fields(List.of(SignalTask.SIGNAL)));
    return status(HttpStatus.ACCEPTED_202, verbs.signal().run(call.ask(), request));
  }

  private Reply stdin(Call call) throws IOException, InterruptedException {
    var request = WriteStdin.Request.read(call.taskId(), call.fields(WriteStdin.FIELDS));
    var written = verbs.stdin().run(call.ask(), request);
    return Reply.json(
        HttpStatus.ACCEPTED_202,
        JsonNodeFactory.instance
            .objectNode()
            .put("task_id", written.taskId().value())
            .put("bytes_written", written.bytes())
            .put("eof", written.eof()));
  }

  private Reply resize(Call call) throws IOException, InterruptedException {
    var request = ResizeTerminal.Request.read(call.taskId(), call.fields(ResizeTerminal.FIELDS));
    return status(HttpStatus.ACCEPTED_202, verbs.resize().run(call.ask(), request));
  }

  private static Reply status(int status, TaskView view) {
    return Reply.json(status, StatusWriter.bytes(view));
  }
}
