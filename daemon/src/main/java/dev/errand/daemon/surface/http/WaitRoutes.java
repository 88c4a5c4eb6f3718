package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForTask;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;

/**
 * A long poll: it answers when a condition is met, can no longer be met, or the time has passed.
 */
final class WaitRoutes {

  /** Longer waits are shortened, which only keeps sums from overflowing. */
  private static final long SECONDS_MAX = 1_000_000_000;

  private static final String TIMEOUT_MS = "timeout_ms";
  private static final List<String> FIELDS =
      Stream.concat(Stream.of(TIMEOUT_MS), WaitForTask.FIELDS.stream()).toList();

  private final Verbs.OfStatus verbs;
  private final HttpSettings settings;

  WaitRoutes(Verbs.OfStatus verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.await(), "POST", "/tasks/{id}/wait", this::await)
            .query("timeout")
            .about("Waits until a condition is met, the task is over, or the time has passed.")
            .takes("Wait")
            .gives(200, "Awaited"));
  }

  private Reply await(Call call) throws IOException, InterruptedException {
    var fields = call.fields(FIELDS);
    var request = WaitForTask.Request.read(call.taskId(), fields, timeout(call, fields));
    var awaited = verbs.await().run(call.asker(), request);
    var answer = awaited.task().statusTree();
    awaited.describe(answer);
    return Reply.json(HttpStatus.OK_200, answer);
  }

  private Duration timeout(Call call, RequestFields fields) {
    var waitMax = settings.waitMax();
    var wanted = timeout(call, fields, waitMax);
    return wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
  }

  private static Duration timeout(Call call, RequestFields fields, Duration standard) {
    var millis = fields.integer(TIMEOUT_MS, 0, SECONDS_MAX * 1_000);
    return millis != null
        ? Duration.ofMillis(millis)
        : Duration.ofSeconds(call.queryNumber("timeout", standard.toSeconds(), 0, SECONDS_MAX));
  }
}
