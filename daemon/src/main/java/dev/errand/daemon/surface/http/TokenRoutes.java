package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.ListTokens;
import dev.errand.daemon.verb.MintToken;
import dev.errand.daemon.verb.MintedToken;
import dev.errand.daemon.verb.RevokeToken;
import dev.errand.daemon.verb.RotateToken;
import dev.errand.daemon.verb.TokenView;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tokens: minting, listing, rotating and revoking them. */
final class TokenRoutes {
  private final Verbs.OfTokens verbs;

  TokenRoutes(Verbs.OfTokens verbs) {
    this.verbs = verbs;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.mint(), "POST", "/tokens", this::mint)
            .about("Creates a token, which is shown only once.")
            .takes("NewToken")
            .gives(201, "Token"),
        Route.of(verbs.list(), "GET", "/tokens", this::list)
            .about("The tokens that the caller may manage.")
            .givesPage("Token"),
        Route.of(verbs.rotate(), "POST", "/tokens/{name}/rotate", this::rotate)
            .about("Gives a token a new secret.")
            .gives(200, "Token"),
        Route.of(verbs.revoke(), "DELETE", "/tokens/{name}", this::revoke)
            .about("Revokes a token and all that it created.")
            .gives(200, "Revoked"));
  }

  private Reply mint(Call call) throws IOException, InterruptedException {
    var request = MintToken.Request.read(call.fields(MintToken.FIELDS));
    return minted(HttpStatus.CREATED_201, verbs.mint().run(call.asker(), request));
  }

  private Reply list(Call call) throws InterruptedException {
    var tokens = verbs.list().run(call.asker(), new ListTokens.Request());
    return Reply.page(tokens.stream().map(it -> Json.bytes(json(it))).toList());
  }

  private Reply rotate(Call call) throws IOException, InterruptedException {
    call.fields(List.of());
    var request = new RotateToken.Request(call.id());
    return minted(HttpStatus.OK_200, verbs.rotate().run(call.asker(), request));
  }

  private Reply revoke(Call call) throws InterruptedException {
    var gone = verbs.revoke().run(call.asker(), new RevokeToken.Request(call.id()));
    var json = JsonNodeFactory.instance.objectNode();
    gone.forEach(json.putArray("revoked")::add);
    return Reply.json(HttpStatus.OK_200, json);
  }

  private static Reply minted(int status, MintedToken minted) {
    return Reply.json(status, json(minted.view()).put("token", minted.token()))
        .with("Cache-Control", "no-store");
  }

  private static ObjectNode json(TokenView token) {
    var session = token.session();
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", token.name())
        .put("profile", token.profile())
        .put("session_id", session == null ? null : session.value())
        .put("key_id", token.keyId())
        .put("minted_by", token.mintedBy())
        .put("issued_at_ms", token.issuedAtMs());
  }
}
