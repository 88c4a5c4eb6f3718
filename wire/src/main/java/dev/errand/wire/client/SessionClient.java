package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, shows and ends sessions. */
public final class SessionClient {
  private final Transport transport;

  SessionClient(Transport transport) {
    this.transport = transport;
  }

  /** All of them, by name. */
  public List<JsonFields> list() {
    var sessions = new ArrayList<JsonFields>();
    @Nullable String target = Routes.SESSIONS;
    while (target != null) {
      var answer = transport.call(HttpRequest.of("GET", target));
      for (var session : answer.json().node()) {
        sessions.add(new JsonFields(session));
      }
      target = TaskPage.next(answer);
    }
    return sessions;
  }

  public JsonFields show(String id) {
    return transport.call(HttpRequest.of("GET", Routes.session(id))).json();
  }

  /** Ends a session; its tasks go on. */
  public void end(String id) {
    var request = HttpRequest.of("DELETE", Routes.session(id));
    transport.call(request.header(Headers.IDEMPOTENCY_KEY, IdempotencyKeys.next()));
  }
}
