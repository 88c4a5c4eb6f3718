package dev.errand.daemon.surface.http;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.inbox.NoticeDigest;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** The inbox of a session: a page of its notices, a text of them, or a stream; and taking note. */
final class InboxRoutes {
  private static final int NOTICES_AT_ONCE = 16;
  private static final int PAGE_DEFAULT = 50;

  /** Behind so much a page ends: a notice may hold a whole result. */
  private static final int PAGE_BYTES_MAX = 4 << 20;

  private static final int IDS_MAX = 1_000;
  private static final int ID_CHARS_MAX = 64;

  private final Services services;
  private final KeyedRoutes keyed;
  private final WaitSlots slots;
  private final Duration keepAlive;
  private final HttpSettings settings;

  InboxRoutes(Services services, KeyedRoutes keyed, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.keyed = keyed;
    this.slots = slots;
    this.keepAlive = settings.times().keepAlive();
    this.settings = settings;
  }

  /** The session named in the path, if the caller may see it. */
  static SessionId session(Call call) {
    var session = Call.sessionId("the session", call.id());
    call.caller().mustSee(session);
    return session;
  }

  Reply inbox(Call call) throws InterruptedException {
    var after = after(call);
    var all = call.queryFlag(Params.ALL, false);
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var query = new NoticeQuery(session(call), after, all, PageOf.toRead(limit));
    if (call.accepts(Headers.EVENT_STREAM)) {
      var follow = call.queryFlag(Params.FOLLOW, true);
      // A foreign cursor is refused here, while a problem can still be the answer.
      services.inbox().inbox().read(query);
      var caller = call.caller();
      return new Reply.Streamed(
          200,
          EventStream.HEADERS,
          outlet -> {
            try (var _ = slots.take(caller)) {
              subscribe(query, follow, outlet);
            }
          });
    }
    return call.accepts("text/plain") ? text(call, query, limit) : page(call, query, limit);
  }

  private Cursor after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    var text = header == null || header.isEmpty() ? call.query(Params.AFTER) : header;
    if (text == null) {
      return Cursor.START;
    }
    return text.equals("now") ? services.inbox().inbox().head() : cursor(text);
  }

  private static Cursor cursor(String text) {
    try {
      return new Cursor(text);
    } catch (IllegalArgumentException e) {
      throw Call.invalid("this is no cursor of ours: " + e.getMessage());
    }
  }

  private Reply page(Call call, NoticeQuery query, int limit) throws InterruptedException {
    var entries = await(call, query);
    var items = new ArrayList<byte[]>();
    var left = PAGE_BYTES_MAX;
    for (var entry : entries.subList(0, Math.min(limit, entries.size()))) {
      if (left <= 0) {
        break;
      }
      items.add(services.inbox().views().bytes(entry));
      left -= items.getLast().length;
    }
    return linked(Reply.page(items), call, PageOf.of(entries, items.size()));
  }

  /** As many as fit at least by name, in one text. */
  private Reply text(Call call, NoticeQuery query, int limit) throws InterruptedException {
    var charsMax = services.inbox().textCharsMax();
    var count = Math.min(limit, NoticeDigest.countFor(charsMax));
    var fitting =
        new NoticeQuery(query.sessionId(), query.after(), query.all(), PageOf.toRead(count));
    var page = PageOf.of(await(call, fitting), count);
    var digest = NoticeDigest.of(page.items(), query.after(), services.inbox().views(), charsMax);
    var body = digest.text().getBytes(StandardCharsets.UTF_8);
    var reply =
        new Reply.Whole(HttpStatus.OK_200, Headers.TEXT, Map.of(), body)
            .with(Headers.ERRAND_CURSOR, digest.upTo().text());
    return linked(reply, call, page);
  }

  private static Reply linked(Reply.Whole reply, Call call, PageOf<NoticeEntry> page) {
    return page.linked(reply, call, Params.AFTER, it -> it.cursor().text());
  }

  private List<NoticeEntry> await(Call call, NoticeQuery query) throws InterruptedException {
    var seconds = call.queryNumber(Params.WAIT, 0, 0, Integer.MAX_VALUE);
    if (seconds == 0) {
      return services.inbox().inbox().read(query);
    }
    try (var _ = slots.take(call.caller())) {
      var timeout = Duration.ofSeconds(Math.min(seconds, settings.limits().waitSecondsMax()));
      return services.inbox().inbox().await(query, timeout);
    }
  }

  private void subscribe(NoticeQuery query, boolean follow, Outlet outlet)
      throws IOException, InterruptedException {
    try (var listener = services.inbox().inbox().listen(query.sessionId())) {
      var out = new EventStream(outlet);
      out.open();
      var at = query.after();
      var caughtUp = false;
      while (true) {
        var arrivals = listener.arrivals();
        var page = services.inbox().inbox().read(behind(query, at));
        if (!page.isEmpty()) {
          send(page, out);
          at = page.getLast().cursor();
          continue;
        }
        if (!caughtUp) {
          caughtUp = true;
          out.caughtUp("{\"cursor\":\"" + at.text() + "\"}");
        }
        out.flush();
        if (!follow) {
          return;
        }
        if (!listener.awaitSince(arrivals, keepAlive)) {
          out.comment("cursor=" + at.text());
        }
      }
    }
  }

  private static NoticeQuery behind(NoticeQuery query, Cursor at) {
    return new NoticeQuery(query.sessionId(), at, query.all(), NOTICES_AT_ONCE);
  }

  private void send(List<NoticeEntry> page, EventStream out) throws IOException {
    for (var entry : page) {
      out.add(entry.cursor().text(), new EncodedFrame(0, services.inbox().views().bytes(entry)));
    }
  }

  Reply acknowledge(Call call) throws IOException, InterruptedException {
    var session = session(call);
    return keyed.once(
        call,
        _ -> {
          var fields = call.fields(List.of("ids", "up_to"));
          if (fields.has("ids") == fields.has("up_to")) {
            throw Call.invalid("give either ids, a list of notices, or up_to, a cursor");
          }
          var count = acknowledge(session, fields, call.caller().principal());
          return Reply.json(
              HttpStatus.OK_200, JsonNodeFactory.instance.objectNode().put("acknowledged", count));
        });
  }

  private int acknowledge(SessionId session, RequestFields fields, String by) {
    var inbox = services.inbox().inbox();
    if (fields.has("up_to")) {
      var upTo = fields.requiredText("up_to", ID_CHARS_MAX);
      return inbox.acknowledge(session, cursor(upTo), by);
    }
    var ids = fields.texts("ids");
    if (ids.size() > IDS_MAX) {
      throw Call.invalid("ids has " + ids.size() + " entries; at most " + IDS_MAX + " are allowed");
    }
    return inbox.acknowledge(session, ids, by);
  }
}
