package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.SessionView;
import dev.errand.daemon.verb.EndSession;
import dev.errand.daemon.verb.ListSessions;
import dev.errand.daemon.verb.ShowSession;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Sessions: listing, showing and ending them. */
final class SessionRoutes {
  private static final int PAGE_DEFAULT = 50;

  private final Verbs.OfSessions verbs;
  private final HttpSettings settings;

  SessionRoutes(Verbs.OfSessions verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.list(), "GET", "/sessions", this::list)
            .query("limit", "cursor")
            .about("Lists sessions.")
            .givesPage("Session"),
        Route.of(verbs.show(), "GET", "/sessions/{id}", this::show)
            .about("A session: how many tasks it has, when it was last used, and its folder.")
            .gives(200, "Session"),
        Route.of(verbs.end(), "DELETE", "/sessions/{id}", this::end)
            .about("Ends a session; its tasks go on.")
            .givesOther(204, ""));
  }

  private Reply list(Call call) throws InterruptedException {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var request = new ListSessions.Request(after(call.query(Params.CURSOR)), limit);
    var page = verbs.list().run(call.asker(), request);
    return Reply.page(page.map(SessionRoutes::json), call, Params.CURSOR);
  }

  private static @Nullable SessionId after(@Nullable String cursor) {
    return cursor == null ? null : Call.sessionId(Params.CURSOR, cursor);
  }

  private Reply show(Call call) throws InterruptedException {
    var request = new ShowSession.Request(sessionId(call));
    return Reply.json(HttpStatus.OK_200, json(verbs.show().run(call.asker(), request)));
  }

  private Reply end(Call call) throws IOException, InterruptedException {
    var _ = verbs.end().run(call.ask(), new EndSession.Request(sessionId(call)));
    return Reply.nothing(HttpStatus.NO_CONTENT_204);
  }

  private static SessionId sessionId(Call call) {
    return Call.sessionId("the session", call.id());
  }

  private static byte[] json(SessionView view) {
    return JsonWriter.object(out ->
        out.text("session_id", view.id().value())
            .object(
                "tasks",
                it ->
                    it.number("queued", view.queued())
                        .number("running", view.running())
                        .number("ended", view.ended()))
            .number("last_activity_at_ms", view.lastActivityMs())
            .numberOrNull("ended_at_ms", view.endedAtMs() == 0 ? null : (Long) view.endedAtMs())
            .text("folder", view.folder()));
  }
}
