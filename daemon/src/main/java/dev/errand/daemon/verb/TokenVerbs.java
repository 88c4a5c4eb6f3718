package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.access.Tokens;

/** What the verbs of tokens share: what is asked of one of them, and who may manage tokens. */
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

  /** The caller as one who manages tokens, which a task may not. */
  static Tokens.Manager manager(Caller caller) {
    if (caller.inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "tokens outlive tasks, so a task may not manage them");
    }
    var grant = caller.grant();
    return grant == null
        ? new Tokens.Manager.Owner(caller.principal())
        : new Tokens.Manager.Holder(grant);
  }
}
