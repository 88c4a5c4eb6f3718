package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.ListWebhookTries;
import dev.errand.daemon.verb.RemoveWebhook;
import dev.errand.daemon.verb.SetWebhook;
import dev.errand.daemon.verb.ShowWebhook;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WebhookTry;
import dev.errand.daemon.verb.WebhookView;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The webhook of a session: setting, showing and removing it, and its latest attempts. */
final class WebhookRoutes {
  private final Verbs.OfWebhooks verbs;

  WebhookRoutes(Verbs.OfWebhooks verbs) {
    this.verbs = verbs;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.set(), "PUT", "/sessions/{id}/webhook", this::set)
            .about("Posts the notices of a session, and events of its tasks, to an address.")
            .takes("NewWebhook")
            .gives(200, "Webhook"),
        Route.of(verbs.show(), "GET", "/sessions/{id}/webhook", this::show)
            .about("The webhook of a session, without its secret.")
            .gives(200, "Webhook"),
        Route.of(verbs.remove(), "DELETE", "/sessions/{id}/webhook", this::remove)
            .about("Removes the webhook of a session.")
            .gives(200, "WebhookRemoved"),
        Route.of(verbs.tries(), "GET", "/sessions/{id}/webhook/tries", this::tries)
            .about("The latest attempts to post a notice or an event, newest first.")
            .givesPage("WebhookTry"));
  }

  private Reply set(Call call) throws IOException, InterruptedException {
    var request = SetWebhook.Request.read(session(call), call.fields(SetWebhook.FIELDS));
    var webhook = verbs.set().run(call.asker(), request);
    var body = json(webhook);
    var secret = webhook.secret();
    if (secret != null) {
      body.put("secret", secret);
    }
    return Reply.json(HttpStatus.OK_200, body).with("Cache-Control", "no-store");
  }

  private Reply show(Call call) throws InterruptedException {
    var webhook = verbs.show().run(call.asker(), new ShowWebhook.Request(session(call)));
    return Reply.json(HttpStatus.OK_200, json(webhook));
  }

  private Reply tries(Call call) throws InterruptedException {
    var tries = verbs.tries().run(call.asker(), new ListWebhookTries.Request(session(call)));
    return Reply.page(tries.stream().map(it -> Json.bytes(json(it))).toList());
  }

  private Reply remove(Call call) throws InterruptedException {
    var removed = verbs.remove().run(call.asker(), new RemoveWebhook.Request(session(call)));
    return Reply.json(
        HttpStatus.OK_200, JsonNodeFactory.instance.objectNode().put("removed", removed));
  }

  private static SessionId session(Call call) {
    return Call.sessionId("the session", call.id());
  }

  private static ObjectNode json(WebhookView webhook) {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("url", webhook.url())
            .put("signed", true)
            .put("ack", webhook.ack());
    var events = json.putArray("events");
    webhook.events().forEach(events::add);
    return json.put("set_at_ms", webhook.setAtMs())
        .put("set_by", webhook.setBy())
        .put("failing", webhook.failing())
        .put("next_try_at_ms", webhook.nextTryAtMs());
  }

  private static ObjectNode json(WebhookTry it) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("notice_id", it.noticeId())
        .put("try", it.number())
        .put("at_ms", it.atMs())
        .put("took_ms", it.tookMs())
        .put("outcome", it.outcome())
        .put("status", it.status())
        .put("error", it.error());
  }
}
