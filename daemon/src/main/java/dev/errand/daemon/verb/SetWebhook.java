package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.webhook.Webhooks;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has the notices of a session posted to an address. No task may set that: a webhook outlives it,
 * and sends what others' tasks write. It is never remembered for a repeat, because the request or
 * the answer holds a secret; doing it again does no harm.
 */
public final class SetWebhook extends Verb<SetWebhook.Request, WebhookView> {
  private static final String URL = "url";
  private static final String SECRET = "secret";
  private static final String ACK = "ack";

  public static final List<String> FIELDS = List.of(URL, SECRET, ACK);

  private static final int URL_CHARS_MAX = 2_000;
  private static final int SECRET_CHARS_MAX = 256;

  private final Webhooks webhooks;

  /**
   * What is asked.
   *
   * @param secret with which deliveries are signed; null: one is made
   * @param ack whether an answer of success acknowledges the notice
   */
  public record Request(SessionId sessionId, String url, @Nullable String secret, boolean ack)
      implements OfSession {

    /** As the fields of a call say it. */
    public static Request read(SessionId sessionId, RequestFields fields) {
      var secret = fields.text(SECRET, SECRET_CHARS_MAX);
      if (secret != null && secret.isEmpty()) {
        throw RequestFields.invalid("secret is empty; leave it out, and one is made");
      }
      var url = fields.requiredText(URL, URL_CHARS_MAX);
      return new Request(sessionId, url, secret, fields.bool(ACK, false));
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
    var wanted = new Webhooks.NewWebhook(request.url(), request.secret(), request.ack());
    var set = webhooks.set(request.sessionId(), wanted, ask.caller().principal());
    return WebhookView.of(set.target(), set.madeSecret());
  }
}
