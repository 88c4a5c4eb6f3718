package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.ReplyRoom;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForBatch;
import dev.errand.daemon.verb.WaitForTask;
import dev.errand.wire.json.ConditionKind;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code task_wait}: waits until something holds of a task, or until tasks of a batch are over. */
final class WaitTool implements Tool {
  private static final String BATCH_ID = "batch_id";
  private static final String MODE = "mode";

  /** More tasks of a batch are not looked at. */
  private static final int BATCH_TASKS_MAX = 10_000;

  private static final List<String> MODES = List.of("all", "any");

  private static final Schema ARGUMENTS =
      Selection.schema()
          .integer(
              JoinTool.TIMEOUT_MS, "how long to wait; default: 30000", 0, JoinTool.TIMEOUT_MS_MAX)
          .anyObjectOrWord(
              "until",
              "what to wait for; default: its end. \"exit\", \"ready\", or one of "
                  + forms()
                  + ", or {\"any\": [...]} of several")
          .integer("from_offset", "where in the output text is searched from", 0, Long.MAX_VALUE)
          .text(BATCH_ID, "instead of a task: all tasks of this batch")
          .words(MODE, "of a batch: until all are over (default) or any is", MODES)
          .maxChars();

  private static final Schema LEAN =
      Selection.lean()
          .brief(JoinTool.TIMEOUT_MS, "integer", "default 30000, at most 600000")
          .anyObjectOrWord(
              "until",
              "default \"exit\"; or \"ready\", {\"text\": RE2}, {\"screen\": RE2}, {\"port\": N},"
                  + " {\"quiet_ms\": N}, {\"prompt\": true}, {\"any\": [...]}")
          .brief(BATCH_ID, "string", "or all tasks of a batch");

  private static final List<String> FIELDS =
      Stream.concat(ARGUMENTS.names().stream(), WaitForTask.FIELDS.stream()).distinct().toList();

  private final Verbs verbs;
  private final TaskReader reader;

  WaitTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  private static String forms() {
    return ConditionKind.AWAITED.stream().map(WaitTool::form).collect(Collectors.joining(", "));
  }

  private static String form(ConditionKind kind) {
    var value =
        switch (kind.value()) {
          case PATTERN -> "RE2";
          case PORT, MILLIS -> "N";
          case URL, PATH -> kind.value().label();
          case YES -> "true";
        };
    var more = kind == ConditionKind.REGEX ? ", \"stream\"?" : "";
    return "{\"" + kind.waitField() + "\": " + value + more + "}";
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_wait",
        Toolset.TASKS,
        "Wait until something holds",
        "Waits until a task ends (then with its result), prints a text, shows it, listens on a"
            + " port, is quiet or waits at a prompt; or until tasks of a batch are over.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(FIELDS);
    var given = fields.integer(JoinTool.TIMEOUT_MS, 0, JoinTool.TIMEOUT_MS_MAX);
    var timeout = Duration.ofMillis(given == null ? JoinTool.TIMEOUT_MS_DEFAULT : given);
    var batchId = fields.text(BATCH_ID, 64);
    if (batchId == null) {
      if (fields.has(MODE)) {
        throw RequestFields.invalid("mode goes with batch_id");
      }
      return one(call, fields, timeout);
    }
    if (WaitForTask.FIELDS.stream().anyMatch(fields::has)
        || fields.has(Schema.TASK_ID)
        || fields.has(Selection.LABEL)) {
      throw RequestFields.invalid("a batch is waited for as a whole; give batch_id, mode and time");
    }
    return batch(call, batchId, "any".equals(fields.word(MODE, MODES)), timeout);
  }

  private ToolResult one(ToolCall call, RequestFields fields, Duration timeout)
      throws InterruptedException {
    var chosen = new Selection(verbs).one(call, fields);
    var request = WaitForTask.Request.read(chosen.id(), fields, timeout);
    var awaited = verbs.status().await().run(call.ask(), request);
    var task = awaited.task();
    var sheet = new TaskSheet(task.view());
    var json = new TaskJson(reader);
    if (!sheet.isOver()) {
      var answer = json.summary(call, task, sheet);
      awaited.describe(answer);
      var next = "More: " + TaskReader.outputCall(sheet, OutputCursor.start(sheet.view()));
      var text = List.of(awaited.sentence(), json.line(sheet), reader.progress(call, sheet), next);
      return ToolResult.of(answer, String.join("\n", text));
    }
    var written = reader.written(call, sheet, call.form().outputChars());
    var answer = json.outcome(sheet, "result", written);
    awaited.describe(answer);
    return ToolResult.of(
        answer,
        "%s\n%s\n%s%s"
            .formatted(
                awaited.sentence(),
                json.line(sheet),
                reader.missedReadiness(call, sheet),
                written));
  }

  private ToolResult batch(ToolCall call, String batchId, boolean any, Duration timeout)
      throws InterruptedException {
    var request = new WaitForBatch.Request(call.session(), batchId, any, timeout, BATCH_TASKS_MAX);
    var batch = verbs.batches().await().run(call.ask(), request);
    var json = new TaskJson(reader);
    var answer = JsonNodeFactory.instance.objectNode().put(BATCH_ID, batchId);
    answer.put("status", batch.status().word()).put("timed_out", !request.isReached(batch));
    var counts = new TreeMap<String, Integer>();
    var tasks = JsonNodeFactory.instance.arrayNode();
    var lines = new ArrayList<>(List.of("Batch " + batchId + " is " + batch.status().word() + "."));
    batch.tasks().forEach(it -> counts.merge(new TaskSheet(it.view()).taskWord(), 1, Integer::sum));
    var shown = Shown.of(batch.tasks());
    var room = new ReplyRoom(call.form());
    for (var task : shown) {
      var sheet = new TaskSheet(task.view());
      if (!room.add(tasks, json.summary(call, task, sheet), lines, json.line(sheet))) {
        break;
      }
    }
    var left = batch.total() - tasks.size();
    if (left > 0) {
      lines.add(left + " more are not shown: task_list(batch_id: \"" + batchId + "\").");
    }
    counts.forEach(answer.put("total", batch.total()).putObject("counts")::put);
    answer.put("more", left).set("tasks", tasks);
    return ToolResult.of(answer, String.join("\n", lines));
  }
}
