package dev.errand.daemon.tool.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.excerpt.JsonCost;
import dev.errand.daemon.verb.OutputBytes;
import dev.errand.daemon.verb.ReadArtifact;
import dev.errand.daemon.verb.ReadOutput;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.RequestFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code tool.output_fetch}: reads a range of an artifact, or of a log that may still grow. */
final class FetchTool implements Tool {
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final int ID_CHARS_MAX = 128;

  private static final int BASE64_CHARS = 4;
  private static final int BASE64_BYTES = 3;
  private static final String OFFSET_BYTES = "offset_bytes";
  private static final Schema ARGUMENTS =
      Schema.object()
          .text("id", "the SHA-256 of an artifact, or a log: <task_id>.stdout, .stderr or .pty")
          .required("id")
          .integer(OFFSET_BYTES, "where to begin; default 0", 0, Long.MAX_VALUE)
          .integer(
              "max_bytes",
              "at most so many; never more than max_chars",
              1,
              HttpBounds.OUTPUT_BYTES_MAX)
          .words("encoding", "how the content is given; default text", List.of("text", "base64"))
          .maxChars()
          .session();

  private final Verbs verbs;
  private final Verbs.OfOutput written;

  FetchTool(Verbs verbs) {
    this.verbs = verbs;
    this.written = verbs.output();
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "output_fetch",
        Toolset.TASKS,
        "Read stored output",
        "Read a range of bytes of an artifact or of a task's log. As text no character is torn:"
            + " read on at offset_bytes plus bytes.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  /** What was read of something that has so many bytes, and whether more may come. */
  @SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
  private record Part(long offset, byte[] bytes, long total, boolean grows) {}

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText("id", ID_CHARS_MAX);
    var offset = or(fields, OFFSET_BYTES, 0, 0, Long.MAX_VALUE);
    var asText = !"base64".equals(fields.word("encoding", List.of("text", "base64")));
    var room = call.form().outputChars();
    var fits = asText ? room : room / BASE64_CHARS * BASE64_BYTES;
    var max = or(fields, "max_bytes", fits, 1, HttpBounds.OUTPUT_BYTES_MAX);
    var range = new ReadOutput.Part.Range(offset, (int) Math.min(max, fits));
    return DIGEST.matcher(id).matches()
        ? form(id, asText, artifact(call, id, range, asText), room)
        : log(call, id, range, asText);
  }

  private static long or(RequestFields fields, String name, long whenMissing, long min, long max) {
    var given = fields.integer(name, min, max);
    return given == null ? whenMissing : given;
  }

  private Part artifact(ToolCall call, String sha256, ReadOutput.Part.Range range, boolean asText)
      throws InterruptedException {
    var content = written.artifact().run(call.ask(), new ReadArtifact.Request(sha256));
    var offset = range.offset();
    var max = range.bytesMax();
    var total = content.length();
    PastEnd.checkOffset(OFFSET_BYTES, offset, total);
    if (!asText) {
      return new Part(offset, content.read(offset, max), total, false);
    }
    var bytes = content.read(offset, Math.max(max, Utf8.CHARACTER_BYTES_MAX));
    var length = Utf8.pageBytes(bytes, max, offset + bytes.length < total);
    return new Part(offset, Arrays.copyOf(bytes, length), total, false);
  }

  private ToolResult log(ToolCall call, String id, ReadOutput.Part.Range range, boolean asText)
      throws InterruptedException {
    var dot = id.lastIndexOf('.');
    var stream = LogStream.ofWord(id.substring(dot + 1));
    if (dot < 0 || stream.isEmpty()) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND, "there is no such log or artifact; a log is <task_id>.<stream>");
    }
    var task = verbs.status().find().byId(call.ask(), id.substring(0, dot));
    var logs = task.view().facts().progress().logs();
    if (logs.stream().noneMatch(it -> it.stream() == stream.get())) {
      // A log that the task cannot have is as good as one to which nothing was written.
      PastEnd.checkOffset(OFFSET_BYTES, range.offset(), 0);
      return form(id, asText, new Part(0, new byte[0], 0, !task.isOver()), 0);
    }
    var request = new ReadOutput.Request(task.id(), stream.get(), range, asText);
    return written
        .read()
        .run(call.ask(), request, it -> form(id, asText, part(it), call.form().outputChars()));
  }

  private static Part part(OutputBytes read) {
    return new Part(read.offset(), read.bytes(), read.log().total(), !read.log().ended());
  }

  /** As much of it as JSON has room for, so that nothing has to be cut out of its middle. */
  private static Part fitting(Part part, int room) {
    var bytes = part.bytes();
    var length = bytes.length;
    while (length > 1 && JsonCost.of(new String(bytes, 0, length, StandardCharsets.UTF_8)) > room) {
      length = Math.max(1, Utf8.pageBytes(bytes, length - length / 4, true));
    }
    return length == bytes.length
        ? part
        : new Part(part.offset(), Arrays.copyOf(bytes, length), part.total(), part.grows());
  }

  private static ToolResult form(String id, boolean asText, Part part, int room) {
    if (asText) {
      var fitting = fitting(part, room);
      var content = new String(fitting.bytes(), StandardCharsets.UTF_8);
      return result(id, fitting, "content", content, content);
    }
    var content = Base64.getEncoder().encodeToString(part.bytes());
    return result(id, part, "content_b64", content, part.bytes().length + " bytes of " + id);
  }

  private static ToolResult result(String id, Part part, String name, String content, String text) {
    var end = part.offset() + part.bytes().length;
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", id)
            .put(name, content)
            .put(OFFSET_BYTES, part.offset())
            .put("bytes", part.bytes().length)
            .put("total_bytes", part.total())
            .put("truncated", end < part.total())
            .put("ended", !part.grows());
    var more =
        end < part.total() || part.grows()
            ? "[%s: tool_output_fetch(id: \"%s\", offset_bytes: %d)]"
                .formatted(end < part.total() ? "more" : "so far; what follows", id, end)
            : "[the end, at byte %,d]".formatted(end);
    return ToolResult.of(node, text + (text.endsWith("\n") || text.isEmpty() ? "" : "\n") + more);
  }
}
