package dev.errand.wire.client;

import dev.errand.core.task.SessionId;
import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of one session. Who handles a notice, remembers its {@code id} and then acknowledges it
 * sees each exactly once: what was not acknowledged comes again under the same id.
 */
public final class InboxClient {
  private final Transport transport;
  private final SessionId sessionId;

  InboxClient(Transport transport, SessionId sessionId) {
    this.transport = transport;
    this.sessionId = sessionId;
  }

  /**
   * Notices that nobody has acknowledged, oldest first, at most {@code limit}; behind a cursor
   * where one is given. Waits so long for the first where there is none.
   */
  public List<JsonFields> read(@Nullable String after, int limit, Duration wait) {
    var target =
        new Query(Routes.inbox(sessionId))
            .with(Params.AFTER, after)
            .with(Params.LIMIT, limit)
            .with(Params.WAIT, wait.toSeconds())
            .toString();
    return list(HttpRequest.of("GET", target).waiting(wait));
  }

  /** What waits, and then what comes, each once, across restarts of the daemon. */
  public EventStream follow(@Nullable String after) {
    return EventStream.ofAll(transport, Routes.inbox(sessionId), after, true);
  }

  /** What is there now; with {@code all} the acknowledged ones too. */
  public EventStream now(boolean all) {
    var target =
        new Query(Routes.inbox(sessionId)).with(Params.FOLLOW, false).with(Params.ALL, all);
    return EventStream.ofAll(transport, target.toString(), null, false);
  }

  /** Answers how many of them nobody had acknowledged before. */
  public long acknowledge(List<String> ids) {
    return acknowledged(JsonWriter.object(out -> out.texts("ids", ids)));
  }

  /** The same for all up to the cursor of a notice. */
  public long acknowledgeUpTo(String cursor) {
    return acknowledged(JsonWriter.object(out -> out.text("up_to", cursor)));
  }

  private long acknowledged(byte[] body) {
    return transport
        .call(HttpRequest.of("POST", Routes.acknowledge(sessionId)).json(body))
        .json()
        .number("acknowledged");
  }

  /**
   * Sends notices to this address from now on, signed with the secret; where none is given the
   * answer has one as {@code secret}, which is not shown again. With {@code ack} an answer of
   * success acknowledges.
   */
  public JsonFields setWebhook(String url, @Nullable String secret, boolean ack) {
    return setWebhook(url, secret, ack, List.of());
  }

  /** The same, which sends events of the tasks of the session too: status, watch, output. */
  public JsonFields setWebhook(
      String url, @Nullable String secret, boolean ack, List<String> events) {
    var body =
        JsonWriter.object(out -> {
          out.text("url", url);
          if (secret != null) {
            out.text("secret", secret);
          }
          out.bool("ack", ack);
          if (!events.isEmpty()) {
            out.texts("events", events);
          }
        });
    return transport.call(HttpRequest.of("PUT", Routes.webhook(sessionId)).json(body)).json();
  }

  public JsonFields webhook() {
    return transport.call(HttpRequest.of("GET", Routes.webhook(sessionId))).json();
  }

  /** Its last tries, newest first. */
  public List<JsonFields> webhookTries() {
    return list(HttpRequest.of("GET", Routes.webhook(sessionId) + "/tries"));
  }

  /** Whether there was one. */
  public boolean removeWebhook() {
    return transport
        .call(HttpRequest.of("DELETE", Routes.webhook(sessionId)))
        .json()
        .bool("removed", false);
  }

  private List<JsonFields> list(HttpRequest request) {
    var items = new ArrayList<JsonFields>();
    for (var item : transport.call(request).json().node()) {
      items.add(new JsonFields(item));
    }
    return items;
  }
}
