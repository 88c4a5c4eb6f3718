package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.SessionView;
import dev.errand.daemon.task.Sessions;

/** Shows one session: how many tasks it has, and when it was last used. */
public final class ShowSession extends Verb<ShowSession.Request, SessionView> {
  private final Sessions sessions;

  public record Request(SessionId sessionId) implements OfSession {}

  ShowSession(Verbs.Parts parts) {
    super("show_session", new Access.Reads(Access.Target.SESSION), parts.floor().authorizer());
    this.sessions = parts.work().spawns().sessions();
  }

  @Override
  SessionView answer(Ask ask, Request request) {
    return sessions.show(request.sessionId());
  }
}
