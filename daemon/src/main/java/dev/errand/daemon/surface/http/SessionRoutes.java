package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.Sessions;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Sessions: listed, looked at and ended. */
final class SessionRoutes {
  private static final int PAGE_DEFAULT = 50;

  private final Sessions sessions;
  private final KeyedRoutes keyed;
  private final HttpSettings settings;

  SessionRoutes(Sessions sessions, KeyedRoutes keyed, HttpSettings settings) {
    this.sessions = sessions;
    this.keyed = keyed;
    this.settings = settings;
  }

  Reply list(Call call) {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var bound = call.caller().boundTo();
    if (bound != null) {
      return Reply.page(sessions.find(bound).stream().map(SessionRoutes::json).toList());
    }
    var views = sessions.list(after(call.query(Params.CURSOR)), PageOf.toRead(limit));
    var page = PageOf.of(views, limit);
    return page.linked(page.reply(SessionRoutes::json), call, Params.CURSOR, it -> it.id().value());
  }

  private static @Nullable SessionId after(@Nullable String cursor) {
    return cursor == null ? null : Call.sessionId(Params.CURSOR, cursor);
  }

  Reply show(Call call) {
    return Reply.json(HttpStatus.OK_200, json(sessions.show(sessionId(call))));
  }

  Reply end(Call call) throws IOException, InterruptedException {
    return keyed.once(
        call,
        _ -> {
          sessions.end(sessionId(call), call.caller());
          return Reply.nothing(HttpStatus.NO_CONTENT_204);
        });
  }

  private static SessionId sessionId(Call call) {
    return Call.sessionId("the session", call.id());
  }

  private static byte[] json(Sessions.View view) {
    return JsonWriter.object(out ->
        out.text("session_id", view.id().value())
            .object(
                "tasks",
                it ->
                    it.number("queued", view.queued())
                        .number("running", view.running())
                        .number("ended", view.ended()))
            .number("last_activity_at_ms", view.lastActivityMs())
            .numberOrNull("ended_at_ms", view.endedAtMs() == 0 ? null : (Long) view.endedAtMs()));
  }
}
