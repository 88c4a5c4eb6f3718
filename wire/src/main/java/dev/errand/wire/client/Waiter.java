package dev.errand.wire.client;

import dev.errand.core.task.TaskId;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;

/** Waits longer than one request may, by asking again. */
final class Waiter {
  private final Transport transport;
  private final TaskId taskId;
  private final long deadlineNanos;

  Waiter(Transport transport, TaskId taskId, Duration timeout) {
    this.transport = transport;
    this.taskId = taskId;
    this.deadlineNanos = System.nanoTime() + timeout.toNanos();
  }

  TaskStatus end() {
    while (true) {
      var poll = poll();
      var status = ask(JsonWriter.object(out -> out.number("timeout_ms", poll.toMillis())), poll);
      if (status.isEnded() || isOver()) {
        return status;
      }
    }
  }

  WaitResult until(Until wanted) {
    var next = wanted;
    while (true) {
      var poll = poll();
      var until = next;
      var body =
          JsonWriter.object(out -> {
            until.writeTo(out);
            out.number("timeout_ms", poll.toMillis());
          });
      var awaited = new WaitResult(ask(body, poll));
      if (!awaited.timedOut() || isOver()) {
        return awaited;
      }
      next = awaited.goOn(until);
    }
  }

  private TaskStatus ask(byte[] body, Duration poll) {
    var request = HttpRequest.of("POST", Routes.wait(taskId)).json(body).waiting(poll);
    return new TaskStatus(transport.call(request).json());
  }

  private Duration poll() {
    var left = Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    return left.compareTo(HttpBounds.WAIT_MAX) < 0 ? left : HttpBounds.WAIT_MAX;
  }

  private boolean isOver() {
    return System.nanoTime() >= deadlineNanos;
  }
}
