package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.AcknowledgeNotices;
import dev.errand.daemon.verb.EncodedNotice;
import dev.errand.daemon.verb.FollowInbox;
import dev.errand.daemon.verb.ReadInbox;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The inbox of a session: a page of its notices, a text of them, or a stream; and acknowledging.
 */
final class InboxRoutes {
  private static final int PAGE_DEFAULT = 50;
  private static final SseWriter.Form<EncodedNotice> FORM = new Form();

  private final Verbs.OfInboxes verbs;
  private final HttpSettings settings;

  InboxRoutes(Verbs.OfInboxes verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.read(), "GET", "/sessions/{id}/inbox", this::inbox)
            .query("after", "limit", "wait", "all", "follow")
            .about("The unacknowledged notices of a session.")
            .givesPage("Notice")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesOther(200, Headers.TEXT),
        Route.of(verbs.acknowledge(), "POST", "/sessions/{id}/inbox/ack", this::acknowledge)
            .about("Acknowledges notices, which are then no longer delivered.")
            .takes("Acknowledge")
            .gives(200, "Acknowledged"));
  }

  private Reply inbox(Call call) throws InterruptedException {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    if (call.accepts(Headers.EVENT_STREAM)) {
      return stream(call);
    }
    var wait = Math.min(wait(call), settings.limits().waitSecondsMax());
    var request =
        new ReadInbox.Request(
            session(call), after(call), all(call), limit, Duration.ofSeconds(wait));
    return call.accepts("text/plain") ? text(call, request) : page(call, request);
  }

  private Reply page(Call call, ReadInbox.Request request) throws InterruptedException {
    var page = verbs.read().run(call.asker(), request);
    return Reply.page(page.map(EncodedNotice::json), call, Params.AFTER);
  }

  private Reply text(Call call, ReadInbox.Request request) throws InterruptedException {
    var text = verbs.readText().run(call.asker(), request);
    var body = text.text().getBytes(StandardCharsets.UTF_8);
    var reply =
        new Reply.Whole(HttpStatus.OK_200, Headers.TEXT, Map.of(), body)
            .with(Headers.ERRAND_CURSOR, text.upTo());
    var next = text.next();
    return next == null ? reply : reply.with(Headers.LINK, Links.next(call, Params.AFTER, next));
  }

  private Reply stream(Call call) throws InterruptedException {
    var follow = call.queryFlag(Params.FOLLOW, true);
    var request = new FollowInbox.Request(session(call), after(call), all(call), follow);
    return SseWriter.reply(verbs.follow().run(call.asker(), request), FORM, settings);
  }

  /** Each notice is an event whose id is the cursor to resume from. */
  private static final class Form implements SseWriter.Form<EncodedNotice> {
    @Override
    public void item(SseWriter out, EncodedNotice notice) throws IOException {
      out.add(notice.cursor(), notice.json());
    }

    @Override
    public String caughtUp(String cursor) {
      return "{\"cursor\":\"" + cursor + "\"}";
    }

    @Override
    public void quiet(SseWriter out, String cursor) throws IOException {
      out.comment("cursor=" + cursor);
    }
  }

  /** A reconnect sends the header with the old query; the header has the later position. */
  private static @Nullable String after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    return header == null || header.isEmpty() ? call.query(Params.AFTER) : header;
  }

  private static boolean all(Call call) {
    return call.queryFlag(Params.ALL, false);
  }

  private static long wait(Call call) {
    return call.queryNumber(Params.WAIT, 0, 0, Integer.MAX_VALUE);
  }

  private Reply acknowledge(Call call) throws IOException, InterruptedException {
    var fields = call.fields(AcknowledgeNotices.FIELDS);
    var request = AcknowledgeNotices.Request.read(session(call), fields);
    var acknowledged = verbs.acknowledge().run(call.ask(), request);
    return Reply.json(
        HttpStatus.OK_200,
        JsonNodeFactory.instance.objectNode().put("acknowledged", acknowledged.count()));
  }

  private static SessionId session(Call call) {
    return Call.sessionId("the session", call.id());
  }
}
