package dev.errand.daemon.webhook;

import dev.errand.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Targets as they are kept in the journal. */
final class TargetJson {

  private TargetJson() {}

  static byte[] encode(Target target) {
    var setting = target.setting();
    var json = JsonNodeFactory.instance.objectNode();
    json.put("url", setting.url());
    json.put("secret", setting.secret());
    json.put("ack", setting.ack());
    json.put("set_at_ms", setting.setAtMs());
    json.put("set_by", setting.setBy());
    if (!setting.events().isEmpty()) {
      var events = json.putArray("events");
      setting.events().forEach(it -> events.add(it.word()));
    }
    json.put("delivered", target.delivered());
    json.put("seen", target.seen());
    var pending = target.pending();
    if (pending != null) {
      json.putObject("pending")
          .put("notice_id", pending.noticeId())
          .put("tries", pending.tries())
          .put("next_at_ms", pending.nextAtMs());
    }
    var tries = json.putArray("tries");
    target.tries().forEach(it -> tries.add(of(it)));
    return Json.bytes(json);
  }

  static Target decode(byte[] text) {
    var json = Json.read(text);
    var setting =
        new Target.Setting(
            json.path("url").stringValue(""),
            json.path("secret").stringValue("none"),
            json.path("ack").booleanValue(false),
            json.path("set_at_ms").longValue(0),
            json.path("set_by").stringValue(""),
            events(json.path("events")));
    var tries = new ArrayList<Target.Try>();
    json.path("tries").forEach(it -> tries.add(readTry(it)));
    return new Target(
        setting,
        json.path("delivered").stringValue(""),
        json.path("seen").stringValue(""),
        pending(json.path("pending")),
        tries);
  }

  /** Without those that only a newer program knows. */
  private static List<WebhookEvent> events(JsonNode json) {
    return json.valueStream()
        .flatMap(it -> WebhookEvent.ofWord(it.stringValue("")).stream())
        .toList();
  }

  private static Target.@Nullable Pending pending(JsonNode json) {
    return json.isObject()
        ? new Target.Pending(
            json.path("notice_id").stringValue(""),
            json.path("tries").intValue(0),
            json.path("next_at_ms").longValue(0))
        : null;
  }

  private static Target.Try readTry(JsonNode json) {
    return new Target.Try(
        json.path("notice_id").stringValue(""),
        json.path("try").intValue(0),
        json.path("at_ms").longValue(0),
        json.path("took_ms").longValue(0),
        json.path("outcome").stringValue(""),
        json.path("status").isNumber() ? json.path("status").intValue() : null,
        json.path("error").isString() ? json.path("error").stringValue() : null);
  }

  private static ObjectNode of(Target.Try it) {
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
