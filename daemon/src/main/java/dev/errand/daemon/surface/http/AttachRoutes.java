package dev.errand.daemon.surface.http;

import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.daemon.verb.AttachTask;
import dev.errand.wire.http.Params;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Attaching to a task: the HTTP part, before the WebSocket takes over. */
final class AttachRoutes {
  private static final String VERSION = "13";

  private final AttachTask attach;
  private final Time clock;

  AttachRoutes(AttachTask attach, Time clock) {
    this.attach = attach;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        Route.of(attach, "GET", "/tasks/{id}/attach", this::attach)
            .query("from", "after_seq", "stream", "view", "rows", "cols")
            .about("A WebSocket that attaches a client to a task.")
            .givesOther(101, ""));
  }

  private Reply attach(Call call) throws InterruptedException {
    var request =
        new AttachTask.Request(
            call.taskId(),
            call.query(Params.STREAM),
            from(call),
            afterSeq(call),
            call.queryFlag(Params.VIEW, false),
            window(call));
    var channel = attach.run(call.asker(), request);
    checkUpgrade(call);
    return new Reply.Upgraded(new AttachSocket(channel, clock));
  }

  private static @Nullable Long from(Call call) {
    return call.query(Params.FROM) == null
        ? null
        : (Long) call.queryNumber(Params.FROM, 0, 0, Long.MAX_VALUE);
  }

  private static @Nullable TerminalSize window(Call call) {
    if ((call.query(Params.ROWS) == null) != (call.query(Params.COLS) == null)) {
      throw Call.invalid("a window has rows and cols; give both");
    }
    return call.query(Params.ROWS) == null
        ? null
        : new TerminalSize(side(call, Params.ROWS), side(call, Params.COLS));
  }

  private static int side(Call call, String name) {
    return (int) call.queryNumber(name, 0, TerminalSize.MIN, TerminalSize.MAX);
  }

  private static @Nullable Long afterSeq(Call call) {
    if (call.query(Params.AFTER_SEQ) == null) {
      return null;
    }
    if (call.query(Params.FROM) == null) {
      throw Call.invalid("after_seq can only be used with from; give both");
    }
    return call.queryNumber(Params.AFTER_SEQ, -1, -1, Long.MAX_VALUE);
  }

  /** Refused here with an explanation; the server would only send a status. */
  private static void checkUpgrade(Call call) {
    var upgrade = header(call, HttpHeader.UPGRADE);
    var version = header(call, HttpHeader.SEC_WEBSOCKET_VERSION);
    if (!upgrade.toLowerCase(Locale.ROOT).equals("websocket")
        || !header(call, HttpHeader.CONNECTION).toLowerCase(Locale.ROOT).contains("upgrade")
        || header(call, HttpHeader.SEC_WEBSOCKET_KEY).isEmpty()
        || !version.equals(VERSION)) {
      throw Call.invalid(
          "this path is for WebSockets; send Upgrade: websocket and Sec-WebSocket-Version: 13");
    }
  }

  private static String header(Call call, HttpHeader name) {
    var value = call.header(name.asString());
    return value == null ? "" : value.strip();
  }
}
