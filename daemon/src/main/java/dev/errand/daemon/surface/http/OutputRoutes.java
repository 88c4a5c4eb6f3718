package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Utf8;
import dev.errand.core.time.Time;
import dev.errand.daemon.output.LogLines;
import dev.errand.daemon.verb.Printable;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Params;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Output of a task by byte range: as text in which no character is torn between two pages, as
 * Base64, or as the exact bytes; or by lines.
 */
final class OutputRoutes {
  private final Services services;
  private final LineRoutes lines;

  OutputRoutes(Services services, Time clock) {
    this.services = services;
    this.lines =
        new LineRoutes(new LogLines(services.output().logs(), clock), services.output().compute());
  }

  /** A part of a log, read when it had that many bytes in all and its task was over or not. */
  @SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
  private record Part(TaskLog log, long offset, byte[] bytes) {
    /** Whether bytes of this log lie behind the part, or may come to lie there. */
    boolean more() {
      return !log.ended() || offset + bytes.length < log.total();
    }

    Part from(int start) {
      return new Part(log, offset + start, Arrays.copyOfRange(bytes, start, bytes.length));
    }

    Part upTo(int end) {
      return new Part(log, offset, Arrays.copyOf(bytes, end));
    }
  }

  Reply output(Call call) throws InterruptedException {
    var row = services.tasks().views().rowOf(call.taskId());
    var log = TaskLog.of(services, row, stream(call));
    if (LineRoutes.areMeant(call)) {
      var answer = lines.output(call, log);
      ResultsRead.note(services, row, call);
      return Reply.json(HttpStatus.OK_200, answer);
    }
    var form = form(call);
    var tail = call.query(Params.TAIL_BYTES) != null;
    if (tail && call.query(Params.OFFSET_BYTES) != null) {
      throw Call.invalid("read from offset_bytes or the last tail_bytes, not both");
    }
    var max = tail ? HttpBounds.OUTPUT_BYTES_MAX : maxBytes(call);
    var reply =
        inShare(
            call,
            tail ? tailBytes(call) : max,
            () -> {
              var part =
                  tail
                      ? tail(call, log)
                      : range(
                          call,
                          log,
                          form == Form.TEXT ? Math.max(max, Utf8.CHARACTER_BYTES_MAX) : max);
              return reply(form, form == Form.TEXT ? characters(part, tail, max) : part);
            });
    ResultsRead.note(services, row, call);
    return reply;
  }

  /** What is long keeps a processor busy, so it is made in the caller's share of them. */
  private Reply inShare(Call call, long bytes, Supplier<Reply> made) throws InterruptedException {
    if (bytes <= HttpBounds.OUTPUT_BYTES_DEFAULT) {
      return made.get();
    }
    var reply = new AtomicReference<Reply>();
    call.caller()
        .share(services.output().compute())
        .run(_ -> {
          reply.set(made.get());
          return true;
        });
    return reply.get();
  }

  private static Reply reply(Form form, Part part) {
    return switch (form) {
      case TEXT -> Reply.json(HttpStatus.OK_200, text(part));
      case BASE64 -> Reply.json(HttpStatus.OK_200, base64(part));
      case OCTETS -> octets(part);
    };
  }

  private enum Form {
    TEXT,
    BASE64,
    OCTETS
  }

  private static Form form(Call call) {
    if (call.accepts(Headers.OCTET_STREAM)) {
      return Form.OCTETS;
    }
    var encoding = call.query(Params.ENCODING);
    if (encoding == null || encoding.equals("text")) {
      return Form.TEXT;
    }
    if (encoding.equals("base64")) {
      return Form.BASE64;
    }
    throw Call.invalid("encoding is text or base64, not: " + Printable.of(encoding));
  }

  /** Null: the one that a task has for its plain output. */
  private static @Nullable LogStream stream(Call call) {
    var word = call.query(Params.STREAM);
    if (word == null) {
      return null;
    }
    return LogStream.ofWord(word)
        .orElseThrow(
            () -> Call.invalid("stream is stdout, stderr or pty, not: " + Printable.of(word)));
  }

  private static int maxBytes(Call call) {
    return (int)
        call.queryNumber(
            Params.MAX_BYTES, HttpBounds.OUTPUT_BYTES_DEFAULT, 1, HttpBounds.OUTPUT_BYTES_MAX);
  }

  private Part range(Call call, TaskLog log, int max) {
    var offset = call.queryNumber(Params.OFFSET_BYTES, 0, 0, Long.MAX_VALUE);
    PastEnd.checkOffset(Params.OFFSET_BYTES, offset, log.total());
    return part(log, offset, max);
  }

  private static long tailBytes(Call call) {
    return call.queryNumber(Params.TAIL_BYTES, 0, 0, HttpBounds.OUTPUT_BYTES_MAX);
  }

  /** The end of the log; where the cap took the beginning of that end, what is left of it. */
  private Part tail(Call call, TaskLog log) {
    var wanted = tailBytes(call);
    var offset = Math.max(0, log.total() - wanted);
    try {
      return part(log, offset, (int) wanted);
    } catch (ErrandException e) {
      var next = e.facts().get("next_offset");
      if (e.code() != ErrorCode.OUTPUT_DROPPED || next == null) {
        throw e;
      }
      return part(log, next, (int) wanted);
    }
  }

  private Part part(TaskLog log, long offset, int max) {
    var wanted = Math.clamp(log.total() - offset, 0, max);
    return new Part(log, offset, log.read(services.output().logs(), offset, wanted));
  }

  private static Part characters(Part part, boolean tail, int max) {
    var start = tail && part.offset() > 0 ? part.from(Utf8.restBytes(part.bytes())) : part;
    return start.upTo(Utf8.pageBytes(start.bytes(), max, start.more()));
  }

  private static ObjectNode text(Part part) {
    var node = head(part);
    node.put("content", new String(part.bytes(), StandardCharsets.UTF_8));
    return rest(node, part);
  }

  private static ObjectNode base64(Part part) {
    var node = head(part);
    node.put("content_b64", Base64.getEncoder().encodeToString(part.bytes()));
    return rest(node, part);
  }

  private static ObjectNode head(Part part) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("task_id", part.log().taskId().value())
        .put("stream", part.log().stream().word());
  }

  private static ObjectNode rest(ObjectNode node, Part part) {
    return node.put("offset_bytes", part.offset())
        .put("bytes", part.bytes().length)
        .put("total_bytes", part.log().total())
        .put("truncated", part.offset() + part.bytes().length < part.log().total())
        .put("artifact_id", part.log().artifactId())
        .putNull("path")
        .put("ended", part.log().ended());
  }

  private static Reply octets(Part part) {
    var headers =
        Map.of(
            Headers.ERRAND_OFFSET, Long.toString(part.offset()),
            Headers.ERRAND_BYTES, Integer.toString(part.bytes().length),
            Headers.ERRAND_TOTAL, Long.toString(part.log().total()),
            Headers.ERRAND_ENDED, Boolean.toString(part.log().ended()));
    return new Reply.Whole(HttpStatus.OK_200, Headers.OCTET_STREAM, headers, part.bytes());
  }
}
