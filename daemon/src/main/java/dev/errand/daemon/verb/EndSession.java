package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.Sessions;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Ends a session; its tasks continue. */
public final class EndSession extends Change<EndSession.Request, EndSession.Ended> {
  private static final String SESSION_ID = "session_id";

  private final Sessions sessions;
  private final Authorizer authorizer;

  public record Request(SessionId sessionId) implements Change.Request, OfSession {
    @Override
    public List<String> words() {
      return List.of(sessionId.value());
    }
  }

  public record Ended(SessionId sessionId) {}

  EndSession(Verbs.Parts parts) {
    super("end_session", new Access.Controls(Access.Target.SESSION), parts.floor());
    this.sessions = parts.work().spawns().sessions();
    this.authorizer = parts.floor().authorizer();
  }

  @Override
  Ended change(Ask ask, Request request, Once<Ended> once) {
    var caller = ask.caller();
    sessions.end(request.sessionId(), caller.principal(), authorizer.trust(caller));
    return new Ended(request.sessionId());
  }

  @Override
  ObjectNode remembered(Ended ended) {
    return JsonNodeFactory.instance.objectNode().put(SESSION_ID, ended.sessionId().value());
  }

  @Override
  Ended again(JsonNode remembered) {
    return new Ended(new SessionId(remembered.path(SESSION_ID).stringValue("")));
  }
}
