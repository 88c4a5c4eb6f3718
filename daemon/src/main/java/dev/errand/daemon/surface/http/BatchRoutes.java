package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.Batches;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tasks of one batch, looked at, cancelled and waited for together. */
final class BatchRoutes {
  private static final int REASON_CHARS_MAX = 1_000;

  /** Larger waits are shortened, so this only keeps sums from overflowing. */
  private static final long MILLIS_MAX = 1_000_000_000_000L;

  /** Of a larger batch the newest are shown; the counts are of all. */
  private static final int SHOWN_MAX = 1_000;

  private final Services services;
  private final Batches batches;
  private final KeyedRoutes keyed;
  private final WaitSlots slots;
  private final HttpSettings settings;

  BatchRoutes(Services services, KeyedRoutes keyed, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.batches =
        new Batches(
            services.tasks().engine(),
            services.tasks().tasks(),
            services.tasks().views(),
            settings.clock());
    this.keyed = keyed;
    this.slots = slots;
    this.settings = settings;
  }

  Reply show(Call call) {
    return Reply.json(HttpStatus.OK_200, json(batches.of(session(call), call.id())));
  }

  Reply cancel(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          var given = call.fields(List.of("reason")).text("reason", REASON_CHARS_MAX);
          var reason = given == null || given.isBlank() ? "cancel" : given;
          var batch = batches.cancel(session(call), call.id(), reason, call.caller());
          var status = batch.isOver() ? HttpStatus.OK_200 : HttpStatus.ACCEPTED_202;
          return Reply.json(status, json(batch));
        });
  }

  Reply await(Call call) throws IOException, InterruptedException {
    var fields = call.fields(List.of("mode", "timeout_ms"));
    var word = fields.word("mode", List.of("all", "any"));
    var mode = "any".equals(word) ? Batches.Mode.ANY : Batches.Mode.ALL;
    var millis = fields.integer("timeout_ms", 0, MILLIS_MAX);
    var waitMax = settings.waitMax();
    var wanted = millis == null ? waitMax : Duration.ofMillis(millis);
    var timeout = wanted.compareTo(waitMax) > 0 ? waitMax : wanted;
    try (var _ = slots.take(call.caller())) {
      var batch = batches.await(session(call), call.id(), mode, timeout);
      return Reply.json(
          HttpStatus.OK_200, json(batch).put("timed_out", !Batches.isReached(batch, mode)));
    }
  }

  /** Names of batches are those of a session, so without one the caller's own is meant. */
  private static SessionId session(Call call) {
    var named = call.querySession();
    return named == null ? call.caller().session() : named;
  }

  private ObjectNode json(Batches.Batch batch) {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("batch_id", batch.id())
            .put("session_id", batch.sessionId().value())
            .put("status", batch.status().word())
            .put("total", batch.rows().size());
    var counts = json.putObject("counts");
    batch.counts().forEach(counts::put);
    var tasks = json.putArray("tasks");
    var shown = batch.rows().subList(0, Math.min(SHOWN_MAX, batch.rows().size()));
    services
        .tasks()
        .views()
        .views(shown)
        .forEach(it -> tasks.add(JsonWriter.tree(out -> StatusWriter.write(out, it))));
    return json;
  }
}
