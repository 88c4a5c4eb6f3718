package dev.errand.daemon.verb;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Tokens;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates a token. The answer is never remembered for a repeat, because it contains a secret. */
public final class MintToken extends Verb<MintToken.Request, MintedToken> {
  private static final String NAME = "name";
  private static final String PROFILE = "profile";
  private static final String SESSION_ID = "session_id";

  public static final List<String> FIELDS = List.of(NAME, PROFILE, SESSION_ID);

  private static final int NAME_CHARS_MAX = 64;

  private final Tokens tokens;

  /** {@code session} is the only session that its holder sees; null: all. */
  public record Request(String name, Profile profile, @Nullable SessionId session)
      implements TokenVerbs.OfToken {

    /** Reads the fields of a call. */
    public static Request read(RequestFields fields) {
      var profile = fields.word(PROFILE, Profile.words());
      var session = fields.text(SESSION_ID, NAME_CHARS_MAX);
      return new Request(
          sessionId(NAME, fields.requiredText(NAME, NAME_CHARS_MAX)).value(),
          profile == null ? Profile.SAFE : Profile.ofWord(profile).orElseThrow(),
          session == null ? null : sessionId(SESSION_ID, session));
    }

    /** The name of a token is also the name of a session. */
    private static SessionId sessionId(String field, String text) {
      try {
        return new SessionId(text);
      } catch (IllegalArgumentException e) {
        throw RequestFields.invalid(field + ": " + e.getMessage());
      }
    }
  }

  MintToken(Verbs.Parts parts) {
    super("mint_token", new Access.ControlsOwn(), parts.floor().authorizer());
    this.tokens = parts.running().tokens();
  }

  @Override
  MintedToken answer(Ask ask, Request request) {
    var wanted = new Tokens.NewToken(request.name(), request.profile(), request.session());
    return MintedToken.of(tokens.mint(ask.caller().tokenManager(), wanted));
  }
}
