package dev.errand.daemon.verb;

import dev.errand.daemon.access.Tokens;

/**
 * Gives a token a new secret; the old one is invalid from then on. The answer is never remembered
 * for a repeat, because it contains a secret.
 */
public final class RotateToken extends Verb<RotateToken.Request, MintedToken> {
  private final Tokens tokens;

  public record Request(String name) implements TokenVerbs.OfToken {}

  RotateToken(Verbs.Parts parts) {
    super("rotate_token", new Access.ControlsOwn(), parts.floor().authorizer());
    this.tokens = parts.running().tokens();
  }

  /** A caller that rotates its own token must get the new secret. */
  @Override
  public boolean mayEndTokenOfCaller() {
    return true;
  }

  @Override
  MintedToken answer(Ask ask, Request request) {
    return MintedToken.of(tokens.rotate(ask.caller().tokenManager(), request.name()));
  }
}
