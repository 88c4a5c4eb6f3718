package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.SessionView;
import dev.errand.daemon.task.Sessions;
import org.jspecify.annotations.Nullable;

/** Lists sessions by name. */
public final class ListSessions extends Verb<ListSessions.Request, ResultPage<SessionView>> {
  private final Sessions sessions;

  /** {@code after} is the name after which to start; null for the first. */
  public record Request(@Nullable SessionId after, int limit) implements OfNothing {}

  ListSessions(Verbs.Parts parts) {
    super("list_sessions", new Access.Filtered(), parts.floor().authorizer());
    this.sessions = parts.work().spawns().sessions();
  }

  @Override
  ResultPage<SessionView> answer(Ask ask, Request request) {
    var only = reached(ask).session();
    if (only != null) {
      return new ResultPage<>(sessions.find(only).stream().toList(), null);
    }
    var read = sessions.list(request.after(), ResultPage.toRead(request.limit()));
    return ResultPage.of(read, request.limit(), it -> it.id().value());
  }
}
