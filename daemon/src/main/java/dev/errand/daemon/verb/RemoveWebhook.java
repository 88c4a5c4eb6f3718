package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.webhook.Webhooks;

/** Removes the webhook of a session; answers whether there was one. */
public final class RemoveWebhook extends Verb<RemoveWebhook.Request, Boolean> {
  private final Webhooks webhooks;

  public record Request(SessionId sessionId) implements OfSession {}

  RemoveWebhook(Verbs.Parts parts) {
    super(
        "remove_webhook",
        new Access.ControlsFromOutside(Access.Target.SESSION),
        parts.floor().authorizer());
    this.webhooks = parts.told().webhooks();
  }

  @Override
  Boolean answer(Ask ask, Request request) throws InterruptedException {
    return webhooks.remove(request.sessionId(), ask.caller().principal());
  }
}
