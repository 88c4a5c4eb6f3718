package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.feed.Feed;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** The frames of one task: history, a mark, then live; or a page of them. */
final class EventRoutes {
  /** Frames written at once; with at most about 10 KiB each this bounds a subscriber's memory. */
  private static final int FRAMES_AT_ONCE = 64;

  private static final int PAGE_DEFAULT = 100;

  private final Services services;
  private final Places places;
  private final Duration keepAlive;
  private final HttpSettings settings;

  EventRoutes(Services services, Places places, HttpSettings settings) {
    this.services = services;
    this.places = places;
    this.keepAlive = settings.times().keepAlive();
    this.settings = settings;
  }

  Reply events(Call call) {
    var taskId = call.taskId();
    var after = after(call);
    var _ = services.tasks().views().isLive(taskId);
    if (after >= 0) {
      checkWithin(taskId, after);
    }
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

  /** Whoever stands behind the end has its cursor from elsewhere and would wait for ever. */
  private void checkWithin(TaskId taskId, long after) {
    var head = services.tasks().journal().lastSeq(StreamKey.of(taskId));
    if (after > head) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "the task's last frame is " + head + "; read from there or before",
          Map.of("head_seq", head));
    }
  }

  private Reply page(Call call, TaskId taskId, long after) {
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var frames = services.tasks().journal().read(StreamKey.of(taskId), after, limit);
    var page = Reply.page(frames.stream().map(it -> it.bytes()).toList());
    return frames.size() < limit
        ? page
        : page.with(
            Headers.LINK,
            Links.next(call, Params.AFTER_SEQ, Long.toString(frames.getLast().seq())));
  }

  private void subscribe(Call call, Subscription wanted, Outlet outlet)
      throws IOException, InterruptedException {
    try (var _ = places.enter();
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
    while (true) {
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
      out.flush();
      if (over || following.ended()) {
        // The last frame may have come between the reading and the question.
        if (following.head() == at) {
          return true;
        }
      } else if (!wanted.follow()) {
        return false;
      } else if (!following.awaitAfter(at, keepAlive)) {
        out.comment("head_seq=" + following.head());
      }
    }
  }
}
