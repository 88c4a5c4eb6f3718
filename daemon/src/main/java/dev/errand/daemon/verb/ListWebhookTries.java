package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.webhook.Webhooks;
import java.util.List;

/** Lists the latest attempts to post a notice of a session, newest first. */
public final class ListWebhookTries extends Verb<ListWebhookTries.Request, List<WebhookTry>> {
  private final Webhooks webhooks;

  public record Request(SessionId sessionId) implements OfSession {}

  ListWebhookTries(Verbs.Parts parts) {
    super(
        "list_webhook_tries", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.webhooks = parts.told().webhooks();
  }

  @Override
  List<WebhookTry> answer(Ask ask, Request request) {
    return webhooks.show(request.sessionId()).tries().reversed().stream()
        .map(WebhookTry::of)
        .toList();
  }
}
