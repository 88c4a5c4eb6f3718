package dev.errand.daemon.tool.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Utf8;
import dev.errand.daemon.access.ArtifactBorder;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.Toolset;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.nio.ByteBuffer;
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

  private static final Schema ARGUMENTS =
      Schema.object()
          .text("id", "the SHA-256 of an artifact, or a log: <task_id>.stdout, .stderr or .pty")
          .required("id")
          .integer("offset_bytes", "where to begin; default 0", 0, Long.MAX_VALUE)
          .integer("max_bytes", "at most so many; default 512 KiB", 1, HttpBounds.OUTPUT_BYTES_MAX)
          .words("encoding", "how the content is given; default text", List.of("text", "base64"))
          .session();

  private final ToolServices services;

  FetchTool(ToolServices services) {
    this.services = services;
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
  private record Part(byte[] bytes, long total, boolean grows) {}

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var id = fields.requiredText("id", ID_CHARS_MAX);
    var offset = or(fields, "offset_bytes", 0, 0, Long.MAX_VALUE);
    var max =
        (int)
            or(
                fields,
                "max_bytes",
                HttpBounds.OUTPUT_BYTES_DEFAULT,
                1,
                HttpBounds.OUTPUT_BYTES_MAX);
    var text = !"base64".equals(fields.word("encoding", List.of("text", "base64")));
    var wanted = text ? Math.max(max, Utf8.CHARACTER_BYTES_MAX) : max;
    var part =
        DIGEST.matcher(id).matches()
            ? artifact(call, id, offset, wanted)
            : log(call, id, offset, wanted);
    return text ? text(id, offset, max, part) : base64(id, offset, part);
  }

  private static long or(RequestFields fields, String name, long whenMissing, long min, long max) {
    var given = fields.integer(name, min, max);
    return given == null ? whenMissing : given;
  }

  private Part artifact(ToolCall call, String sha256, long offset, int max) {
    var bound = call.caller().boundTo() != null;
    ArtifactBorder.check(services.tasks().journal(), sha256, call.session(), bound);
    var found = services.output().artifacts().open(sha256);
    try (var file =
        found.orElseThrow(
            () -> new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact"))) {
      PastEnd.checkOffset("offset_bytes", offset, file.size());
      var wanted = Math.clamp(file.size() - offset, 0, max);
      var checked = services.output().logs().readArtifact(sha256, offset, wanted);
      if (wanted > 0 && checked.isPresent()) {
        return new Part(checked.get(), file.size(), false);
      }
      var buffer = ByteBuffer.allocate(wanted);
      while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {
        // Until all of it is there.
      }
      var bytes = Arrays.copyOf(buffer.array(), buffer.position());
      return new Part(bytes, file.size(), false);
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot read the artifact: " + e.getMessage(), e);
    }
  }

  private Part log(ToolCall call, String id, long offset, int max) throws InterruptedException {
    var dot = id.lastIndexOf('.');
    var stream = LogStream.ofWord(id.substring(dot + 1));
    if (dot < 0 || stream.isEmpty()) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND, "there is no such log or artifact; a log is <task_id>.<stream>");
    }
    var found = services.find(call, id.substring(0, dot));
    var row = services.tasks().views().rowOf(found.id());
    var part = log(row, stream.get(), offset, max);
    services.noteRead(row, call);
    return part;
  }

  /** Whether it has ended is asked before its length, so that an ended log is complete there. */
  private Part log(TaskRow row, LogStream stream, long offset, int max) {
    var total = services.output().logs().total(row.id(), stream);
    PastEnd.checkOffset("offset_bytes", offset, total);
    var wanted = Math.clamp(total - offset, 0, max);
    var bytes =
        wanted == 0 ? new byte[0] : services.output().logs().read(row.id(), stream, offset, wanted);
    return new Part(bytes, total, row.active());
  }

  private static ToolResult text(String id, long offset, int max, Part part) {
    var more = part.grows() || offset + part.bytes().length < part.total();
    var bytes = part.bytes();
    var length = Utf8.pageBytes(bytes, max, more);
    var content = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return result(id, offset, length, part, "content", content, content);
  }

  private static ToolResult base64(String id, long offset, Part part) {
    var bytes = part.bytes();
    var content = Base64.getEncoder().encodeToString(bytes);
    var text = bytes.length + " bytes of " + id;
    return result(id, offset, bytes.length, part, "content_b64", content, text);
  }

  private static ToolResult result(
      String id, long offset, int bytes, Part part, String name, String content, String text) {
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", id)
            .put(name, content)
            .put("offset_bytes", offset)
            .put("bytes", bytes)
            .put("total_bytes", part.total())
            .put("truncated", offset + bytes < part.total())
            .put("ended", !part.grows());
    return ToolResult.of(node, text);
  }
}
