package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.ReadEvents;
import dev.errand.daemon.verb.RecordedFrame;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code tool.task_stream_events}: the frames of a task, page by page, waiting for new ones. */
final class EventsTool implements Tool {
  private static final int LIMIT_DEFAULT = 100;
  private static final int LIMIT_MAX = 500;
  private static final long WAIT_MS_MAX = 60_000;

  private static final Schema ARGUMENTS =
      Schema.object()
          .task()
          .integer(
              "after_seq", "frames behind this one; default -1: from the first", -1, Long.MAX_VALUE)
          .integer("limit", "at most so many frames; default 100", 1, LIMIT_MAX)
          .integer(
              "wait_ms", "wait so long for a frame where there is none; default 0", 0, WAIT_MS_MAX)
          .maxChars();

  private final Verbs verbs;

  EventsTool(Verbs verbs) {
    this.verbs = verbs;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "task_stream_events",
        Toolset.TASKS,
        "Events of a task",
        "The recorded frames of a task in their order, page by page: give next_after_seq as"
            + " after_seq of the next call. ended tells that no frame follows any more.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var after = or(fields.integer("after_seq", -1, Long.MAX_VALUE), -1);
    var limit = (int) or(fields.integer("limit", 1, LIMIT_MAX), LIMIT_DEFAULT);
    var wait = Duration.ofMillis(or(fields.integer("wait_ms", 0, WAIT_MS_MAX), 0));
    var id = fields.requiredText(Schema.TASK_ID, VerbTools.ID_CHARS_MAX);
    var taskId = verbs.status().find().byId(call.ask(), id).id();
    var request = new ReadEvents.Request(taskId, after, limit, wait);
    var read = verbs.events().read().run(call.ask(), request);
    var frames = fitting(read.page().items(), call.form().outputChars());
    var all = frames.size() == read.page().items().size();
    var upTo = all ? read.upTo() : Long.parseLong(frames.getLast().cursor());
    var ended = all && read.ended();
    var node = JsonNodeFactory.instance.objectNode().put("task_id", taskId.value());
    var list = node.putArray("events");
    var text = new StringBuilder();
    for (var frame : frames) {
      // What has no room is cut field by field; all others are passed on as they are recorded.
      var fits = frame.bytes().length <= call.form().outputChars();
      list.add(fits ? Json.encoded(frame.bytes()) : Json.read(frame.bytes()));
      text.append(new String(frame.bytes(), StandardCharsets.UTF_8)).append('\n');
    }
    node.put("next_after_seq", upTo).put("ended", ended);
    text.append(
        ended
            ? "[no more frames follow]"
            : "[what follows: tool_task_stream_events(task_id: \"%s\", after_seq: %d)]"
                .formatted(taskId.brief(), upTo));
    return ToolResult.of(node, text.toString());
  }

  /** The first of them that there is room for, at least one. */
  private static List<RecordedFrame> fitting(List<RecordedFrame> frames, int room) {
    var left = room;
    for (var i = 0; i < frames.size(); i++) {
      left -= frames.get(i).bytes().length;
      if (left < 0 && i > 0) {
        return frames.subList(0, i);
      }
    }
    return frames;
  }

  private static long or(@Nullable Long given, long whenMissing) {
    return given == null ? whenMissing : given;
  }
}
