package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.FollowAllEvents;
import dev.errand.daemon.verb.ReadAllEvents;
import dev.errand.daemon.verb.RecordedFrame;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The frames of all tasks and sessions in one order, with an opaque cursor to resume from. */
final class AllEventRoutes {
  private static final int PAGE_DEFAULT = 100;
  private static final SseWriter.Form<RecordedFrame> FORM = new Form();

  private final Verbs.OfEvents verbs;
  private final HttpSettings settings;

  AllEventRoutes(Verbs.OfEvents verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.followAll(), "GET", "/events", this::events)
            .query("cursor", "session_id", "follow", "limit")
            .about("The frames of all tasks and sessions: as events, or as a page of JSON.")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesPage("Frame"));
  }

  private Reply events(Call call) throws InterruptedException {
    var after = after(call);
    var session = call.namedSession();
    if (call.accepts(Headers.JSON)) {
      var limit = call.pageLimit(PAGE_DEFAULT, settings);
      var request = new ReadAllEvents.Request(session, after, limit);
      var page = verbs.readAll().run(call.asker(), request);
      return Reply.page(page.map(RecordedFrame::bytes), call, Params.CURSOR);
    }
    var follow = call.queryFlag(Params.FOLLOW, true);
    var request = new FollowAllEvents.Request(session, after, follow);
    return SseWriter.reply(verbs.followAll().run(call.asker(), request), FORM, settings);
  }

  private static @Nullable String after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    return header == null || header.isEmpty() ? call.query(Params.CURSOR) : header;
  }

  private static final class Form implements SseWriter.Form<RecordedFrame> {
    @Override
    public void item(SseWriter out, RecordedFrame frame) throws IOException {
      out.add(frame.cursor(), frame.bytes());
    }

    @Override
    public String caughtUp(String cursor) {
      return "{\"cursor\":\"" + cursor + "\"}";
    }

    /** Filtered frames move the cursor too, or a reconnect would read them again. */
    @Override
    public void quiet(SseWriter out, String cursor) throws IOException {
      out.movedTo(cursor);
    }
  }
}
