package dev.errand.daemon.surface.http;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Page;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of all tasks and sessions in one order, with an opaque cursor as the point of return.
 */
final class AllEventRoutes {
  private static final int FRAMES_AT_ONCE = 64;
  private static final int PAGE_DEFAULT = 100;

  /** After so many looks for frames of one session a page ends where it is, with the next one. */
  private static final int LOOKS_MAX = 200;

  private final Services services;
  private final WaitSlots slots;
  private final Duration keepAlive;
  private final HttpSettings settings;

  AllEventRoutes(Services services, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.slots = slots;
    this.keepAlive = settings.times().keepAlive();
    this.settings = settings;
  }

  Reply events(Call call) {
    var after = after(call);
    var session = call.querySession();
    if (call.accepts(Headers.JSON)) {
      return page(call, after, session);
    }
    var follow = call.queryFlag(Params.FOLLOW, true);
    // A foreign cursor is refused here, while a problem can still be the answer.
    services.tasks().journal().readAll(after, 1);
    var caller = call.caller();
    return new Reply.Streamed(
        200,
        EventStream.HEADERS,
        outlet -> {
          try (var _ = slots.take(caller)) {
            subscribe(after, session, follow, outlet);
          }
        });
  }

  /** {@code now} begins behind all that is there. */
  private Cursor after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    var text = header == null || header.isEmpty() ? call.query(Params.CURSOR) : header;
    if (text == null) {
      return Cursor.START;
    }
    if (text.equals("now")) {
      return services.tasks().journal().head();
    }
    try {
      return new Cursor(text);
    } catch (IllegalArgumentException e) {
      throw Call.invalid("this is no cursor of ours: " + e.getMessage());
    }
  }

  /** Frames of others, and gaps of removed ones, are passed over to fill it. */
  private Reply page(Call call, Cursor after, @Nullable SessionId session) {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var found = new ArrayList<Page.Entry>();
    var at = after;
    var end = false;
    var looks = LOOKS_MAX;
    while (!end && found.size() <= limit && looks-- > 0) {
      var read = services.tasks().journal().readAll(at, FRAMES_AT_ONCE);
      end = read.next().equals(at);
      at = read.next();
      found.addAll(wanted(read, session));
    }
    var page = PageOf.of(found, limit);
    var reply = page.reply(it -> it.frame().bytes());
    return page.more() || end
        ? page.linked(reply, call, Params.CURSOR, it -> it.cursor().text())
        : reply.with(Headers.LINK, Links.next(call, Params.CURSOR, at.text()));
  }

  private void subscribe(Cursor after, @Nullable SessionId session, boolean follow, Outlet outlet)
      throws IOException, InterruptedException {
    try (var following = services.tasks().feed().followAll()) {
      var out = new EventStream(outlet);
      out.open();
      var at = after;
      var caughtUp = false;
      while (true) {
        var ticks = following.ticks();
        var page = following.next(at, FRAMES_AT_ONCE);
        if (!page.entries().isEmpty()) {
          send(page, session, out);
          at = page.next();
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
        awaitMore(following, ticks, at, out);
      }
    }
  }

  /** What a filter held back moves the point of return too, or a reconnect would read it again. */
  private void awaitMore(Feed.FollowingAll following, long ticks, Cursor at, EventStream out)
      throws IOException, InterruptedException {
    if (!following.awaitSince(ticks, keepAlive)) {
      out.movedTo(at.text());
    }
  }

  private static void send(Page page, @Nullable SessionId session, EventStream out)
      throws IOException {
    for (var entry : wanted(page, session)) {
      out.add(entry.cursor().text(), entry.frame().bytes());
    }
  }

  private static List<Page.Entry> wanted(Page page, @Nullable SessionId session) {
    return session == null
        ? page.entries()
        : page.entries().stream().filter(it -> Envelope.isOf(session, it.frame())).toList();
  }
}
