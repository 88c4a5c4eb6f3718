package dev.errand.daemon.verb;

import dev.errand.daemon.access.Tokens;

/** A token with its secret, which is shown only once. */
public record MintedToken(TokenView view, String token) {

  static MintedToken of(Tokens.Minted minted) {
    return new MintedToken(TokenView.of(minted.grant()), minted.token());
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "MintedToken[" + view + "]";
  }
}
