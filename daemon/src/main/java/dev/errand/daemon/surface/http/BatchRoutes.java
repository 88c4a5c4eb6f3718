package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.BatchView;
import dev.errand.daemon.verb.CancelBatch;
import dev.errand.daemon.verb.CancelTask;
import dev.errand.daemon.verb.ShowBatch;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForBatch;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The tasks of one batch: viewed, cancelled and awaited together. */
final class BatchRoutes {
  /** Longer waits are shortened, which only keeps sums from overflowing. */
  private static final long MILLIS_MAX = 1_000_000_000_000L;

  /** Of a larger batch only the newest tasks are shown; the counts include all. */
  private static final int SHOWN_MAX = 1_000;

  private final Verbs.OfBatches verbs;
  private final HttpSettings settings;

  BatchRoutes(Verbs.OfBatches verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.show(), "GET", "/batches/{id}", this::show)
            .query("session_id")
            .about("A batch and its tasks.")
            .gives(200, "Batch"),
        Route.of(verbs.cancel(), "POST", "/batches/{id}/cancel", this::cancel)
            .query("session_id")
            .about("Asks for the end of all tasks of a batch.")
            .takes("Reason")
            .gives(200, "Batch")
            .gives(202, "Batch"),
        Route.of(verbs.await(), "POST", "/batches/{id}/wait", this::await)
            .query("session_id")
            .about("Waits until all tasks of a batch, or any of them, are over.")
            .takes("WaitForBatch")
            .gives(200, "Batch"));
  }

  private Reply show(Call call) throws InterruptedException {
    var request = new ShowBatch.Request(session(call), call.id(), SHOWN_MAX);
    return Reply.json(HttpStatus.OK_200, json(verbs.show().run(call.asker(), request)));
  }

  private Reply cancel(Call call) throws IOException, InterruptedException {
    var fields = call.fields(List.of(CancelTask.REASON));
    var request = CancelBatch.Request.read(session(call), call.id(), fields, SHOWN_MAX);
    var batch = verbs.cancel().run(call.ask(), request);
    return Reply.json(batch.isOver() ? HttpStatus.OK_200 : HttpStatus.ACCEPTED_202, json(batch));
  }

  private Reply await(Call call) throws IOException, InterruptedException {
    var fields = call.fields(List.of("mode", "timeout_ms"));
    var any = "any".equals(fields.word("mode", List.of("all", "any")));
    var millis = fields.integer("timeout_ms", 0, MILLIS_MAX);
    var waitMax = settings.waitMax();
    var wanted = millis == null ? waitMax : Duration.ofMillis(millis);
    var timeout = wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
    var request = new WaitForBatch.Request(session(call), call.id(), any, timeout, SHOWN_MAX);
    var batch = verbs.await().run(call.asker(), request);
    return Reply.json(HttpStatus.OK_200, json(batch).put("timed_out", !request.isReached(batch)));
  }

  /** Batch names belong to a session; a request without a session means the caller's own. */
  private static SessionId session(Call call) {
    var named = call.namedSession();
    return named == null ? call.caller().session() : named;
  }

  private static ObjectNode json(BatchView batch) {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", batch.id())
            .put("session_id", batch.sessionId().value())
            .put("status", batch.status().word())
            .put("total", batch.total());
    var counts = json.putObject("counts");
    batch.counts().forEach(counts::put);
    var tasks = json.putArray("tasks");
    batch
        .tasks()
        .forEach(it -> tasks.add(JsonWriter.tree(out -> StatusWriter.write(out, it.view()))));
    return json;
  }
}
