package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.webhook.Webhooks;

/** Shows where the notices of a session are posted. */
public final class ShowWebhook extends Verb<ShowWebhook.Request, WebhookView> {
  private final Webhooks webhooks;

  public record Request(SessionId sessionId) implements OfSession {}

  ShowWebhook(Verbs.Parts parts) {
    super("show_webhook", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.webhooks = parts.told().webhooks();
  }

  @Override
  WebhookView answer(Ask ask, Request request) {
    return WebhookView.of(webhooks.show(request.sessionId()), null);
  }
}
