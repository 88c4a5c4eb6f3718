package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.ReplyRoom;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.Shown;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.BackgroundText;
import dev.errand.daemon.tool.text.LiveText;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForBatch;
import dev.errand.daemon.verb.WaitForTask;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code background_output}: how tasks stand, and what came of those that are over. */
final class OutputTool implements Tool {
  private static final String BLOCK = "block";
  private static final String TIMEOUT = "timeout";
  private static final String MODE = "mode";
  private static final List<String> MODES = List.of("all", "any");

  /** What a record of a task in a batch takes beside its result. */
  private static final int RECORD_CHARS = 1_000;

  private static final int RESULT_CHARS_MIN = 400;
  private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

  private static final Schema ARGUMENTS =
      Chosen.schema()
          .bool(BLOCK, "wait for the end; default: false")
          .number(TIMEOUT, "with block: how many seconds; default: 30", 0, 600)
          .words(MODE, "with block, of a batch: until all are over (default) or any is", MODES)
          .maxChars();

  private final Verbs verbs;
  private final TaskReader reader;

  OutputTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_output",
        Toolset.BACKGROUND,
        "Output of a background task",
        "How a background task or a batch stands, and the results of what is over. Returns at once"
            + " unless block is true.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var batchId = fields.text(Chosen.BATCH_ID, Chosen.ID_CHARS_MAX);
    var mode = fields.word(MODE, MODES);
    if (mode != null && (batchId == null || !fields.bool(BLOCK, false))) {
      throw RequestFields.invalid("mode goes with batch_id and block");
    }
    if (batchId != null && !fields.has(Schema.TASK_ID)) {
      return batch(call, fields, batchId, "any".equals(mode));
    }
    var task = one(call, Chosen.of(call, fields, verbs).tasks().getFirst(), fields);
    var timedOut = isBlocking(fields) && !task.isOver();
    var records = new ResultRecords(verbs, reader);
    var written = records.written(call, task, call.form().outputChars());
    var record = records.record(call, task, written);
    record.put("timedOut", timedOut).setAll(JsonWriter.tree(task::writeLive));
    var live = LiveText.of(task);
    var text = text(call, task, written) + (live.isEmpty() ? "" : "\n\n" + live);
    return new ToolResult(record, text, false);
  }

  private ShownTask one(ToolCall call, ShownTask chosen, RequestFields fields)
      throws InterruptedException {
    if (!isBlocking(fields)) {
      return new ResultRecords(verbs, reader).now(call, chosen);
    }
    var request = WaitForTask.Request.forEnd(chosen.id(), timeout(fields));
    return verbs.status().await().run(call.ask(), request).task();
  }

  private static boolean isBlocking(RequestFields fields) {
    return fields.bool(BLOCK, false);
  }

  private static Duration timeout(RequestFields fields) {
    var given = fields.seconds(TIMEOUT, Duration.ZERO, TIMEOUT_MAX);
    return given == null ? TIMEOUT_DEFAULT : given;
  }

  private ToolResult batch(ToolCall call, RequestFields fields, String batchId, boolean any)
      throws InterruptedException {
    var wanted =
        new WaitForBatch.Request(
            call.session(),
            batchId,
            any,
            isBlocking(fields) ? timeout(fields) : Duration.ZERO,
            Chosen.BATCH_TASKS_MAX);
    var batches = verbs.batches();
    var batch =
        isBlocking(fields)
            ? batches.await().run(call.ask(), wanted)
            : batches.show().run(call.ask(), Chosen.ofBatch(call, batchId));
    var counts = new Counts();
    batch.tasks().forEach(counts::add);
    var answer = JsonNodeFactory.instance.objectNode().put("batchId", batchId);
    answer.put("status", batch.status().word());
    answer.put("timedOut", isBlocking(fields) && !wanted.isReached(batch));
    counts.write(answer);
    var shown = Shown.of(batch.tasks());
    var tasks = answer.putArray("tasks");
    var texts = new ArrayList<String>();
    texts.add("Batch `" + batchId + "` is " + batch.status().word() + ". " + counts.text());
    var delivery = new ResultRecords(verbs, reader);
    var room = new ReplyRoom(call.form());
    var share = share(call, shown.size());
    for (var each : shown) {
      var task = verbs.status().find().byId(call.ask(), each.id().value());
      var written = delivery.written(call, task, share);
      var record = delivery.record(call, task, written);
      if (!room.add(tasks, record, texts, text(call, task, written))) {
        break;
      }
      // Only what there was room for counts as read.
      var _ = delivery.now(call, task);
    }
    var left = batch.total() - tasks.size();
    answer.put("more", left);
    if (left > 0) {
      texts.add(left + " more are not shown; ask for them by their ids (background_list).");
    }
    return ToolResult.of(answer, String.join("\n\n", texts));
  }

  /** How much of its output each of several tasks may show. */
  private static int share(ToolCall call, int tasks) {
    var all = call.form().outputChars() / Math.max(1, tasks) - RECORD_CHARS;
    return Math.max(RESULT_CHARS_MIN, all);
  }

  private String ending(ToolCall call, TaskSheet sheet) throws InterruptedException {
    var missed = reader.missedReadiness(call, sheet).strip();
    return missed.isEmpty() ? "" : "\n(" + missed + ")";
  }

  private String text(ToolCall call, ShownTask task, String written) throws InterruptedException {
    var sheet = new TaskSheet(task.view());
    return sheet.isOver()
        ? BackgroundText.result(sheet, TaskReader.result(sheet, written), reader.nowMs())
            + ending(call, sheet)
        : BackgroundText.status(sheet, reader.lastLine(call, sheet), reader.nowMs());
  }
}
