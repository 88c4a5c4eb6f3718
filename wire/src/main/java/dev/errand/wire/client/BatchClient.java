package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Shows, cancels and awaits the tasks of a batch. Without a session it uses the caller's. The
 * answers are batches: {@code status}, {@code total}, {@code counts}, {@code tasks}.
 */
public final class BatchClient {

  /** The limit of one request; a longer wait takes several. */
  private static final Duration ROUND_MAX = Duration.ofSeconds(60);

  private final Transport transport;

  BatchClient(Transport transport) {
    this.transport = transport;
  }

  public JsonFields show(String id, @Nullable String session) {
    return transport.call(HttpRequest.of("GET", in(Routes.batch(id), session))).json();
  }

  /** Cancels all that are not over. */
  public JsonFields cancel(String id, @Nullable String session, @Nullable String reason) {
    var body = JsonWriter.object(out -> out.text("reason", reason));
    var request = HttpRequest.of("POST", in(Routes.batchCancel(id), session)).json(body);
    return transport.call(request.header(Headers.IDEMPOTENCY_KEY, IdempotencyKeys.next())).json();
  }

  /** Waits until all are over, or any is; {@code timed_out} is true on timeout. */
  public JsonFields await(String id, @Nullable String session, boolean any, Duration timeout) {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      var round = left.compareTo(ROUND_MAX) > 0 ? ROUND_MAX : left;
      var body =
          JsonWriter.object(
              out -> out.text("mode", any ? "any" : "all").number("timeout_ms", round.toMillis()));
      var request = HttpRequest.of("POST", in(Routes.batchWait(id), session)).json(body);
      var batch = transport.call(request.waiting(round)).json();
      if (!batch.bool("timed_out", false) || deadline - System.nanoTime() <= 0) {
        return batch;
      }
    }
  }

  private static String in(String path, @Nullable String session) {
    return new Query(path).with(Params.SESSION_ID, session).toString();
  }
}
