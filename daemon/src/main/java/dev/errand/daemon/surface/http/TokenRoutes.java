package dev.errand.daemon.surface.http;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Grant;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.webhook.Webhooks;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens: made, listed, renewed and taken away. Their answers are never remembered for a repeat,
 * because they hold secrets.
 */
final class TokenRoutes {
  private static final int NAME_CHARS_MAX = 64;

  private final Tokens tokens;
  private final Webhooks webhooks;

  TokenRoutes(Tokens tokens, Webhooks webhooks) {
    this.tokens = tokens;
    this.webhooks = webhooks;
  }

  Reply mint(Call call) throws IOException {
    var manager = call.caller().tokenManager();
    var fields = call.fields(List.of("name", "profile", "session_id"));
    var profile = fields.word("profile", Profile.words());
    var session = fields.text("session_id", NAME_CHARS_MAX);
    var wish =
        new Tokens.NewToken(
            Call.sessionId("name", fields.requiredText("name", NAME_CHARS_MAX)).value(),
            profile == null ? Profile.SAFE : Profile.ofWord(profile).orElseThrow(),
            session == null ? null : Call.sessionId("session_id", session));
    return minted(HttpStatus.CREATED_201, tokens.mint(manager, wish));
  }

  Reply list(Call call) {
    var grants = tokens.list(call.caller().tokenManager());
    return Reply.page(grants.stream().map(it -> Json.bytes(json(it))).toList());
  }

  Reply rotate(Call call) throws IOException {
    call.fields(List.of());
    return minted(HttpStatus.OK_200, tokens.rotate(call.caller().tokenManager(), call.id()));
  }

  Reply revoke(Call call) {
    var gone = tokens.revoke(call.caller().tokenManager(), call.id());
    webhooks.removeForeign(call.caller().principal());
    var json = JsonNodeFactory.instance.objectNode();
    gone.forEach(json.putArray("revoked")::add);
    return Reply.json(HttpStatus.OK_200, json);
  }

  private static Reply minted(int status, Tokens.Minted minted) {
    return Reply.json(status, json(minted.grant()).put("token", minted.token()))
        .with("Cache-Control", "no-store");
  }

  private static ObjectNode json(Grant grant) {
    SessionId session = grant.session();
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", grant.name())
        .put("profile", grant.profile().word())
        .put("session_id", session == null ? null : session.value())
        .put("key_id", grant.keyId())
        .put("minted_by", grant.mintedBy())
        .put("issued_at_ms", grant.issuedAtMs());
  }
}
