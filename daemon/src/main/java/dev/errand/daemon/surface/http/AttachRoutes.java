package dev.errand.daemon.surface.http;

import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.daemon.attach.AttachRequest;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Params;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/** Attaching to a task: the way in; what is said then is not of HTTP any more. */
final class AttachRoutes {
  private static final String VERSION = "13";

  private final Services services;
  private final Authenticator authenticator;
  private final WaitSlots slots;
  private final Time clock;

  AttachRoutes(Services services, Authenticator authenticator, WaitSlots slots, Time clock) {
    this.services = services;
    this.authenticator = authenticator;
    this.slots = slots;
    this.clock = clock;
  }

  Reply attach(Call call) {
    var row = services.tasks().views().rowOf(call.taskId());
    var view = call.queryFlag(Params.VIEW, false);
    if (!view) {
      services.verbs().tasks().stdin().check(call.asker(), row.id().value());
    }
    var request =
        new AttachRequest(
            row.id(),
            stream(call, row),
            from(call),
            afterSeq(call),
            view,
            window(call),
            client(call.caller()));
    checkUpgrade(call);
    var after = request.afterSeq();
    if (after != null) {
      PastEnd.checkSeq(
          Params.AFTER_SEQ, after, services.tasks().journal().lastSeq(StreamKey.of(row.id())));
    }
    var attachments = services.tasks().attachments();
    attachments.check(request);
    var caller = call.caller();
    return new Reply.Upgraded(
        new AttachSocket(attachments, request, () -> slots.take(caller), clock));
  }

  private AttachRequest.Client client(Caller caller) {
    return new AttachRequest.Client(
        caller.principal(),
        caller.session(),
        () -> authenticator.admits(caller),
        caller.share(services.output().compute()));
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
      throw Call.invalid("after_seq says where the bytes from an offset belong; give from as well");
    }
    return call.queryNumber(Params.AFTER_SEQ, -1, -1, Long.MAX_VALUE);
  }

  /** A terminal has one stream; of a task with pipes the client must say which. */
  private LogStream stream(Call call, TaskRow row) {
    var streams = streams(row);
    var word = call.query(Params.STREAM);
    if (word == null && streams.size() == 1) {
      return streams.getFirst();
    }
    return streams.stream()
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            Call.invalid(
                "the task has no terminal; say which of its streams to follow: "
                    + String.join(
                        ", ", streams.stream().map(it -> "stream=" + it.word()).toList())));
  }

  private List<LogStream> streams(TaskRow row) {
    return switch (services.tasks().engine().snapshot(row.id()).state()) {
      case TaskState.Absent _ -> List.of();
      case TaskState.Present it -> it.facts().spec().work().streams();
    };
  }

  /** Told here in words; the server would only say no. */
  private static void checkUpgrade(Call call) {
    var upgrade = header(call, HttpHeader.UPGRADE);
    var version = header(call, HttpHeader.SEC_WEBSOCKET_VERSION);
    if (!upgrade.toLowerCase(Locale.ROOT).equals("websocket")
        || !header(call, HttpHeader.CONNECTION).toLowerCase(Locale.ROOT).contains("upgrade")
        || header(call, HttpHeader.SEC_WEBSOCKET_KEY).isEmpty()
        || !version.equals(VERSION)) {
      throw Call.invalid(
          "this is for WebSockets: ask with Upgrade: websocket and Sec-WebSocket-Version: 13");
    }
  }

  private static String header(Call call, HttpHeader name) {
    var value = call.header(name.asString());
    return value == null ? "" : value.strip();
  }
}
