package dev.errand.daemon.tool.task;

import dev.errand.core.task.LogStream;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.excerpt.JsonCost;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.excerpt.OutputReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ReadLines;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code task_output}: the end of what a task wrote, or what follows a cursor, or lines of it. */
final class TaskOutputTool implements Tool {
  private static final String CURSOR = "cursor";
  private static final String TAIL = "tail";
  private static final String FROM_LINE = "from_line";
  private static final String LINES = "lines";
  private static final String STREAM = "stream";
  private static final String WAIT_MS = "wait_ms";
  private static final int CURSOR_CHARS_MAX = 80;
  private static final int LINE_END_CHARS = 2;
  private static final int CALLS_CHARS = 300;
  private static final int ROOM_MIN = 256;
  private static final long LINES_MAX = 1_000;
  private static final long LINES_DEFAULT = 200;
  private static final long WAIT_MS_MAX = 600_000;
  private static final List<String> STREAMS =
      Stream.of(LogStream.values()).map(LogStream::word).toList();

  private static final Schema ARGUMENTS =
      Selection.schema()
          .text(CURSOR, "what follows it: the cursor of an earlier answer; 0 is the start")
          .integer(TAIL, "the last lines; default without a cursor: as many as fit", 1, LINES_MAX)
          .integer(FROM_LINE, "lines from this one on, counted from 1", 1, Schema.NUMBER_MAX)
          .integer(LINES, "with from_line: how many; default: 200", 1, LINES_MAX)
          .words(STREAM, "with from_line: default: stdout, or pty of a terminal", STREAMS)
          .integer(
              WAIT_MS, "with cursor: wait so long for something new; default: 0", 0, WAIT_MS_MAX)
          .maxChars();

  private static final Schema LEAN =
      Selection.lean()
          .brief(CURSOR, "string", "what follows it; 0 is the start")
          .brief(TAIL, "integer", "the last lines (default)")
          .brief(FROM_LINE, "integer", "lines from this one on")
          .brief(LINES, "integer", "how many")
          .brief("max_chars", "integer", "default 16384, at most 65536");

  private final Verbs verbs;
  private final TaskReader reader;

  TaskOutputTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_output",
        Toolset.TASKS,
        "Output of a task",
        "What a task wrote, also while it runs: its end, or what follows a cursor, or lines by"
            + " number. Each answer names the call that reads on.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var chosen = new Selection(verbs).one(call, fields);
    var cursor = fields.text(CURSOR, CURSOR_CHARS_MAX);
    var tail = fields.integer(TAIL, 1, LINES_MAX);
    var line = fields.integer(FROM_LINE, 1, Schema.NUMBER_MAX);
    if (Stream.of(cursor, tail, line).filter(it -> it != null).count() > 1) {
      throw RequestFields.invalid("give one of cursor, tail and from_line");
    }
    refuse(fields, line != null, List.of(LINES, STREAM), FROM_LINE);
    refuse(fields, cursor != null, List.of(WAIT_MS), CURSOR);
    if (line != null) {
      return lines(call, fields, chosen, line);
    }
    return cursor != null ? after(call, fields, chosen, cursor) : tail(call, chosen, tail);
  }

  /** An argument that would be passed over is told, not lost. */
  private static void refuse(RequestFields fields, boolean given, List<String> names, String with) {
    for (var name : names) {
      if (!given && fields.has(name)) {
        throw RequestFields.invalid(name + " goes with " + with + "; add it or leave it out");
      }
    }
  }

  private ToolResult tail(ToolCall call, ShownTask chosen, @Nullable Long lines)
      throws InterruptedException {
    var sheet = new TaskSheet(reader.now(call, chosen.id()).view());
    var room = room(call, sheet);
    var part = reader.output().tail(call.ask(), sheet.view(), room, lines);
    var isAll = OutputCursor.start(sheet.view()).equals(part.from());
    var before =
        isAll
            ? ""
            : "[the end of %,d bytes; from the start: %s]\n"
                .formatted(
                    sheet.view().bytesTotal(),
                    TaskReader.outputCall(sheet, OutputCursor.start(sheet.view())));
    return answer(sheet, part.text(), before, part);
  }

  private ToolResult after(ToolCall call, RequestFields fields, ShownTask chosen, String given)
      throws InterruptedException {
    var cursor = OutputCursor.read(given, chosen.view());
    var wait = fields.integer(WAIT_MS, 0, WAIT_MS_MAX);
    var patience = Duration.ofMillis(wait == null ? 0 : wait);
    var sheet = new TaskSheet(reader.awaitOutput(call, chosen.id(), cursor, patience).view());
    var room = room(call, sheet);
    var part = reader.output().after(call.ask(), sheet.view(), cursor, room);
    return answer(sheet, part.text(), "", part);
  }

  private ToolResult answer(
      TaskSheet sheet, String written, String before, OutputReader.Part part) {
    var isEnd = sheet.isOver() && !part.more();
    var node = TaskJson.head(sheet);
    node.put("output", written);
    node.put("from_cursor", part.from().text()).put("cursor", part.next().text());
    node.put("more", part.more()).put("ended", isEnd);
    node.put("exit_code", sheet.exitCode()).put("bytes_total", sheet.view().bytesTotal());
    var ids = node.putArray("log_ids");
    sheet.logs().forEach(it -> ids.add(it.stream().logId(sheet.view().id())));
    var parts = new ArrayList<>(List.of(line(sheet), before + written));
    if (!isEnd) {
      var call = TaskReader.outputCall(sheet, part.next());
      parts.add((part.more() ? "[more: " : "[so far; what follows: ") + call + "]");
    }
    return ToolResult.of(node, joined(parts));
  }

  /** What is left beside the line that says how the task stands, and the calls that read on. */
  private int room(ToolCall call, TaskSheet sheet) {
    var form = call.form();
    var left = form.charsMax() - line(sheet).length() - CALLS_CHARS;
    return Math.max(ROOM_MIN, Math.min(form.outputChars(), left));
  }

  private String line(TaskSheet sheet) {
    return new TaskJson(reader).line(sheet);
  }

  /** Each part begins a line. */
  private static String joined(List<String> parts) {
    var text = new StringBuilder();
    for (var part : parts) {
      if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
        text.append('\n');
      }
      text.append(part);
    }
    return text.toString();
  }

  private ToolResult lines(ToolCall call, RequestFields fields, ShownTask chosen, long first)
      throws InterruptedException {
    var count = fields.integer(LINES, 1, LINES_MAX);
    var stream = SearchTool.stream(chosen, fields);
    var wanted = (int) (count == null ? LINES_DEFAULT : count);
    var request = new ReadLines.Request(chosen.id(), stream, first, wanted);
    var page = verbs.output().lines().run(call.ask(), request).page();
    var sheet = new TaskSheet(reader.now(call, chosen.id()).view());
    var text = new StringBuilder();
    var shown = 0;
    var left = call.form().outputChars();
    for (var line : page.lines()) {
      left -= JsonCost.of(line) + LINE_END_CHARS;
      if (shown > 0 && left < 0) {
        break;
      }
      text.append(line).append('\n');
      shown++;
    }
    var next = shown < page.lines().size() ? page.first() + shown : page.next();
    var node = TaskJson.head(sheet);
    node.put("output", text.toString()).put(STREAM, stream.word());
    node.put("first_line", page.first()).put("next_line", next);
    node.put("exit_code", sheet.exitCode()).put("log_id", stream.logId(sheet.view().id()));
    var on =
        shown == 0
            ? "[no lines there]"
            : "[lines %,d to %,d; on: task_output(task_id: \"%s\", from_line: %d, stream: \"%s\")]"
                .formatted(
                    page.first(), page.first() + shown - 1, sheet.shortId(), next, stream.word());
    return ToolResult.of(node, joined(List.of(line(sheet), text.toString(), on)));
  }
}
