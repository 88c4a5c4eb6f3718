package dev.errand.daemon.verb;

/** What the verbs of tokens share. */
final class TokenVerbs {

  private TokenVerbs() {}

  /** What is asked of one token. */
  interface OfToken extends Verb.Request {
    String name();

    @Override
    default String target() {
      return name();
    }
  }
}
