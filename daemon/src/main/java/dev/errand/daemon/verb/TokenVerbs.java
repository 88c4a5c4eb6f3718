package dev.errand.daemon.verb;

/** What the verbs of tokens share. */
final class TokenVerbs {

  private TokenVerbs() {}

  /** A request about one token. */
  interface OfToken extends Verb.Request {
    String name();

    @Override
    default String target() {
      return name();
    }
  }
}
