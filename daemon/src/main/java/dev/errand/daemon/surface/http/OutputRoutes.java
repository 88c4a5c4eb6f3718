package dev.errand.daemon.surface.http;

import dev.errand.core.task.LogStream;
import dev.errand.daemon.verb.OutputBytes;
import dev.errand.daemon.verb.Printable;
import dev.errand.daemon.verb.ReadOutput;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Params;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The output of a task by byte range: as text with complete characters on each page, as Base64, or
 * as the exact bytes; or by lines.
 */
final class OutputRoutes {
  private final Verbs.OfOutput verbs;
  private final LineRoutes lines;

  OutputRoutes(Verbs.OfOutput verbs) {
    this.verbs = verbs;
    this.lines = new LineRoutes(verbs);
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.read(), "GET", "/tasks/{id}/output", this::output)
            .query(
                "stream",
                "offset_bytes",
                "max_bytes",
                "tail_bytes",
                "encoding",
                "line",
                "lines",
                "search",
                "context",
                "limit",
                "from_line")
            .about("Output of a task: as text, lines or matches, as Base64, or as the exact bytes.")
            .gives(200, "Output")
            .givesOther(200, Headers.OCTET_STREAM));
  }

  private Reply output(Call call) throws InterruptedException {
    var stream = stream(call);
    if (LineRoutes.areMeant(call)) {
      return Reply.json(HttpStatus.OK_200, lines.output(call, stream));
    }
    var form = form(call);
    var request = new ReadOutput.Request(call.taskId(), stream, part(call), form == Form.TEXT);
    return verbs.read().run(call.asker(), request, it -> reply(form, it));
  }

  private static Reply reply(Form form, OutputBytes part) {
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
    throw Call.invalid("encoding must be text or base64, not: " + Printable.of(encoding));
  }

  /** Null: the one with the plain output of the task. */
  private static @Nullable LogStream stream(Call call) {
    var word = call.query(Params.STREAM);
    if (word == null) {
      return null;
    }
    return LogStream.ofWord(word)
        .orElseThrow(
            () -> Call.invalid("stream must be stdout, stderr or pty, not: " + Printable.of(word)));
  }

  private static ReadOutput.Part part(Call call) {
    var offset = call.query(Params.OFFSET_BYTES);
    if (call.query(Params.TAIL_BYTES) == null) {
      return new ReadOutput.Part.Range(
          call.queryNumber(Params.OFFSET_BYTES, 0, 0, Long.MAX_VALUE),
          (int)
              call.queryNumber(
                  Params.MAX_BYTES,
                  HttpBounds.OUTPUT_BYTES_DEFAULT,
                  1,
                  HttpBounds.OUTPUT_BYTES_MAX));
    }
    if (offset != null) {
      throw Call.invalid("read from offset_bytes or the last tail_bytes, not both");
    }
    return new ReadOutput.Part.Tail(
        (int) call.queryNumber(Params.TAIL_BYTES, 0, 0, HttpBounds.OUTPUT_BYTES_MAX));
  }

  private static ObjectNode text(OutputBytes part) {
    var node = head(part);
    node.put("content", new String(part.bytes(), StandardCharsets.UTF_8));
    return rest(node, part);
  }

  private static ObjectNode base64(OutputBytes part) {
    var node = head(part);
    node.put("content_b64", Base64.getEncoder().encodeToString(part.bytes()));
    return rest(node, part);
  }

  private static ObjectNode head(OutputBytes part) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("task_id", part.log().taskId().value())
        .put("stream", part.log().stream().word());
  }

  private static ObjectNode rest(ObjectNode node, OutputBytes part) {
    return node.put("offset_bytes", part.offset())
        .put("bytes", part.bytes().length)
        .put("total_bytes", part.log().total())
        .put("truncated", part.truncated())
        .put("artifact_id", part.artifactId())
        .putNull("path")
        .put("ended", part.log().ended());
  }

  private static Reply octets(OutputBytes part) {
    var headers =
        Map.of(
            Headers.ERRAND_OFFSET, Long.toString(part.offset()),
            Headers.ERRAND_BYTES, Integer.toString(part.bytes().length),
            Headers.ERRAND_TOTAL, Long.toString(part.log().total()),
            Headers.ERRAND_ENDED, Boolean.toString(part.log().ended()));
    return new Reply.Whole(HttpStatus.OK_200, Headers.OCTET_STREAM, headers, part.bytes());
  }
}
