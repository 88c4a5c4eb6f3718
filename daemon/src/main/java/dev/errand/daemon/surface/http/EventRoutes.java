package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.FollowEvents;
import dev.errand.daemon.verb.ReadEvents;
import dev.errand.daemon.verb.RecordedFrame;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The frames of one task: history, a mark, then live; or a page of them. */
final class EventRoutes {
  private static final int PAGE_DEFAULT = 100;
  private static final SseWriter.Form<RecordedFrame> FORM = new Form();

  private final Verbs.OfEvents verbs;
  private final HttpSettings settings;

  EventRoutes(Verbs.OfEvents verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.follow(), "GET", "/tasks/{id}/events", this::events)
            .query("after_seq", "follow", "limit")
            .about("The frames of a task: as events, or as a page of JSON.")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesPage("Frame"));
  }

  private Reply events(Call call) throws InterruptedException {
    if (call.accepts(Headers.JSON)) {
      return page(call);
    }
    var follow = call.queryFlag(Params.FOLLOW, true);
    var request = new FollowEvents.Request(call.taskId(), after(call), follow);
    var stream = verbs.follow().run(call.asker(), request);
    return SseWriter.reply(stream, FORM, settings);
  }

  private Reply page(Call call) throws InterruptedException {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var request = new ReadEvents.Request(call.taskId(), after(call), limit, Duration.ZERO);
    var read = verbs.read().run(call.asker(), request);
    return Reply.page(read.page().map(RecordedFrame::bytes), call, Params.AFTER_SEQ);
  }

  /** A reconnect sends the header with the old query; the header has the later position. */
  private static long after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    return header == null || header.isEmpty()
        ? call.queryNumber(Params.AFTER_SEQ, -1, -1, Long.MAX_VALUE)
        : Call.number(Headers.LAST_EVENT_ID, header, -1, Long.MAX_VALUE);
  }

  private static final class Form implements SseWriter.Form<RecordedFrame> {
    @Override
    public void item(SseWriter out, RecordedFrame frame) throws IOException {
      out.add(frame.cursor(), frame.bytes());
    }

    @Override
    public String caughtUp(String cursor) {
      return "{\"seq\":" + cursor + "}";
    }

    @Override
    public void quiet(SseWriter out, String cursor) throws IOException {
      out.comment("head_seq=" + cursor);
    }
  }
}
