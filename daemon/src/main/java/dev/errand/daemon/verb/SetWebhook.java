package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.webhook.WebhookEvent;
import dev.errand.daemon.webhook.Webhooks;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Posts the notices of a session to an address from now on. A task may not set that: a webhook
 * outlives it, and sends the output of other tasks. The answer is never remembered for a repeat,
 * because the request or the answer contains a secret; repeating the call does no harm.
 */
public final class SetWebhook extends Verb<SetWebhook.Request, WebhookView> {
  private static final String URL = "url";
  private static final String SECRET = "secret";
  private static final String ACK = "ack";
  private static final String EVENTS = "events";

  public static final List<String> FIELDS = List.of(URL, SECRET, ACK, EVENTS);

  private static final int URL_CHARS_MAX = 2_000;
  private static final int SECRET_CHARS_MAX = 256;

  private final Webhooks webhooks;

  /**
   * What is asked.
   *
   * @param secret signs the deliveries; null: a new one is created
   * @param ack whether a successful response acknowledges the notice
   * @param events what is posted beside the notices
   */
  public record Request(
      SessionId sessionId,
      String url,
      @Nullable String secret,
      boolean ack,
      List<WebhookEvent> events)
      implements OfSession {

    /** Reads the fields of a call. */
    public static Request read(SessionId sessionId, RequestFields fields) {
      var secret = fields.text(SECRET, SECRET_CHARS_MAX);
      if (secret != null && secret.isEmpty()) {
        throw RequestFields.invalid("secret is empty; leave it out to get a new one");
      }
      var url = fields.requiredText(URL, URL_CHARS_MAX);
      var events = fields.has(EVENTS) ? fields.texts(EVENTS) : List.<String>of();
      var ack = fields.bool(ACK, false);
      return new Request(sessionId, url, secret, ack, WebhookEvent.ofWords(events));
    }

    /** Without the secret, and without the address, which may contain a key. */
    @Override
    public String toString() {
      return "Request[" + sessionId.value() + "]";
    }
  }

  SetWebhook(Verbs.Parts parts) {
    super(
        "set_webhook",
        new Access.ControlsFromOutside(Access.Target.SESSION),
        parts.floor().authorizer());
    this.webhooks = parts.told().webhooks();
  }

  @Override
  WebhookView answer(Ask ask, Request request) throws InterruptedException {
    var wanted =
        new Webhooks.NewWebhook(request.url(), request.secret(), request.ack(), request.events());
    var set = webhooks.set(request.sessionId(), wanted, ask.caller().principal());
    return WebhookView.of(set.target(), set.madeSecret());
  }
}
