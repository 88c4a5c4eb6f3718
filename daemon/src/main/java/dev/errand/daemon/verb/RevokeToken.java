package dev.errand.daemon.verb;

import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.webhook.Webhooks;
import java.util.List;

/**
 * Revokes a token and all that it created, and removes the webhooks that these set; answers the
 * names of the revoked tokens.
 */
public final class RevokeToken extends Verb<RevokeToken.Request, List<String>> {
  private final Tokens tokens;
  private final Webhooks webhooks;

  public record Request(String name) implements TokenVerbs.OfToken {}

  RevokeToken(Verbs.Parts parts) {
    super("revoke_token", new Access.ControlsOwn(), parts.floor().authorizer());
    this.tokens = parts.running().tokens();
    this.webhooks = parts.told().webhooks();
  }

  /** A caller may revoke its own token. */
  @Override
  public boolean mayEndTokenOfCaller() {
    return true;
  }

  @Override
  List<String> answer(Ask ask, Request request) {
    var gone = tokens.revoke(ask.caller().tokenManager(), request.name());
    webhooks.removeForeign(ask.caller().principal());
    return gone;
  }
}
