package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.webhook.Webhooks;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The webhook of a session. Setting it is never remembered for a repeat, because the request or the
 * answer holds a secret; doing it again does no harm.
 */
final class WebhookRoutes {
  private static final int URL_CHARS_MAX = 2_000;
  private static final int SECRET_CHARS_MAX = 256;

  private final Webhooks webhooks;

  WebhookRoutes(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  Reply set(Call call) throws IOException, InterruptedException {
    var session = InboxRoutes.session(call);
    checkMaySet(call.caller());
    var fields = call.fields(List.of("url", "secret", "ack"));
    var secret = fields.text("secret", SECRET_CHARS_MAX);
    if (secret != null && secret.isEmpty()) {
      throw Call.invalid("secret is empty; leave it out, and one is made");
    }
    var wish =
        new Webhooks.NewWebhook(
            fields.requiredText("url", URL_CHARS_MAX), secret, fields.bool("ack", false));
    return Reply.json(HttpStatus.OK_200, webhooks.set(session, wish, call.caller().principal()))
        .with("Cache-Control", "no-store");
  }

  Reply show(Call call) {
    return Reply.json(HttpStatus.OK_200, webhooks.show(InboxRoutes.session(call)));
  }

  Reply tries(Call call) {
    return Reply.page(webhooks.tries(InboxRoutes.session(call)));
  }

  Reply remove(Call call) throws InterruptedException {
    var session = InboxRoutes.session(call);
    checkMaySet(call.caller());
    var removed = webhooks.remove(session, call.caller().principal());
    return Reply.json(
        HttpStatus.OK_200, JsonNodeFactory.instance.objectNode().put("removed", removed));
  }

  /** A webhook outlives the task that would set it, and sends what others' tasks write. */
  private static void checkMaySet(Caller caller) {
    if (caller.inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "a webhook outlives tasks, so a task may not change it");
    }
  }
}
