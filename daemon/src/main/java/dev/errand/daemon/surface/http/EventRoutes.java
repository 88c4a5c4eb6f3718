package dev.errand.daemon.surface.http;

import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.time.Duration;

/** The frames of one task: history, a mark, then live; or a page of them. */
final class EventRoutes {
  /** Frames written at once; with at most about 10 KiB each this bounds a subscriber's memory. */
  private static final int FRAMES_AT_ONCE = 64;

  private static final int PAGE_DEFAULT = 100;

  private final Services services;
  private final WaitSlots slots;
  private final Duration keepAlive;
  private final HttpSettings settings;

  EventRoutes(Services services, WaitSlots slots, HttpSettings settings) {
    this.services = services;
    this.slots = slots;
    this.keepAlive = settings.times().keepAlive();
    this.settings = settings;
  }

  Reply events(Call call) {
    var taskId = call.taskId();
    var after = after(call);
    var _ = services.tasks().views().isLive(taskId);
    PastEnd.checkSeq(
        Params.AFTER_SEQ, after, services.tasks().journal().lastSeq(StreamKey.of(taskId)));
    if (call.accepts(Headers.JSON)) {
      return page(call, taskId, after);
    }
    var follow = call.queryFlag(Params.FOLLOW, true);
    return new Reply.Streamed(
        200,
        EventStream.HEADERS,
        outlet -> subscribe(call, new Subscription(taskId, after, follow), outlet));
  }

  /**
   * What a subscriber wants: the frames of this task behind a seq, and whether to wait for more.
   */
  private record Subscription(TaskId taskId, long after, boolean follow) {}

  /** A reconnect carries the header beside the old query, and knows better where it stands. */
  private static long after(Call call) {
    var header = call.header(Headers.LAST_EVENT_ID);
    return header == null || header.isEmpty()
        ? call.queryNumber(Params.AFTER_SEQ, -1, -1, Long.MAX_VALUE)
        : Call.number(Headers.LAST_EVENT_ID, header, -1, Long.MAX_VALUE);
  }

  private Reply page(Call call, TaskId taskId, long after) {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var toRead = PageOf.toRead(limit);
    var page =
        PageOf.of(services.tasks().journal().read(StreamKey.of(taskId), after, toRead), limit);
    return page.linked(
        page.reply(it -> it.bytes()), call, Params.AFTER_SEQ, it -> Long.toString(it.seq()));
  }

  private void subscribe(Call call, Subscription wanted, Outlet outlet)
      throws IOException, InterruptedException {
    try (var _ = slots.take(call.caller());
        var following = services.tasks().feed().follow(StreamKey.of(wanted.taskId()))) {
      var out = new EventStream(outlet);
      out.open();
      if (send(wanted, following, out)) {
        services.output().reads().read(wanted.taskId(), ResultsRead.reader(call.caller()));
      }
    }
  }

  /** Sends until the end; whether it was the end of the task. */
  private boolean send(Subscription wanted, Feed.Following following, EventStream out)
      throws IOException, InterruptedException {
    // Asked after following began: an end that came before is seen here, a later one by the feed.
    var over = !services.tasks().views().isLive(wanted.taskId());
    if (over) {
      // Its last frames may be committed and still to be told.
      following.catchUp();
    }
    var at = wanted.after();
    var caughtUp = false;
    var told = -1L;
    while (true) {
      // Asked before the frames, so that all frames before these bytes are sent before them.
      var growth = following.growth();
      var pending = following.pendingAfter(at);
      var head = following.head();
      var frames = following.next(at, FRAMES_AT_ONCE);
      if (!frames.isEmpty()) {
        out.frames(frames);
        at = frames.getLast().seq();
        continue;
      }
      if (head > at) {
        out.flush();
        return false; // There were frames and now there are none: the task was removed.
      }
      if (!caughtUp) {
        caughtUp = true;
        out.caughtUp("{\"seq\":" + at + "}");
      }
      if (wanted.follow() && growth != told && !pending.isEmpty()) {
        told = growth;
        out.stored(pending.ranges());
      }
      out.flush();
      if (over || following.ended()) {
        // The last frame may have come between the reading and the question.
        if (following.head() == at) {
          return true;
        }
      } else if (!wanted.follow()) {
        return false;
      } else if (!following.awaitNews(at, growth, keepAlive)) {
        out.comment("head_seq=" + following.head());
      }
    }
  }
}
