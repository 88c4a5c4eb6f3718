package dev.errand.daemon.verb;

import dev.errand.daemon.access.Tokens;
import java.util.List;

/** Lists the tokens that the caller may manage, oldest first. */
public final class ListTokens extends Verb<ListTokens.Request, List<TokenView>> {
  private final Tokens tokens;

  public record Request() implements OfNothing {}

  ListTokens(Verbs.Parts parts) {
    super("list_tokens", new Access.Filtered(), parts.floor().authorizer());
    this.tokens = parts.running().tokens();
  }

  @Override
  List<TokenView> answer(Ask ask, Request request) {
    return tokens.list(ask.caller().tokenManager()).stream().map(TokenView::of).toList();
  }
}
