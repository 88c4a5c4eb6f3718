package dev.errand.daemon.tool.background;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.ReplyRoom;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.BackgroundStatus;
import dev.errand.daemon.tool.text.BackgroundText;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code background_list}: the tasks of a session as a table. */
final class ListTool implements Tool {
  private static final int LIMIT = 10;
  private static final int LIMIT_MAX = 100;

  private static final Schema ARGUMENTS =
      Schema.object()
          .words("status", "only those that stand so", BackgroundStatus.words())
          .text(Chosen.BATCH_ID, "only those of this batch")
          .integer("limit", "how many, newest first; default: " + LIMIT, 1, LIMIT_MAX)
          .maxChars()
          .session();

  private final Verbs verbs;
  private final TaskReader reader;

  ListTool(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "background_list",
        Toolset.BACKGROUND,
        "List background tasks",
        "The tasks of your session, newest first: id, description, status and duration.",
        ARGUMENTS.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var given = fields.integer("limit", 1, LIMIT_MAX);
    var limit = given == null ? LIMIT : given.intValue();
    var word = fields.word("status", BackgroundStatus.words());
    var wanted = word == null ? null : BackgroundStatus.ofWord(word);
    var counts = new Counts();
    var tasks = new ArrayList<ShownTask>();
    Consumer<ShownTask> visitor =
        task -> {
          if (wanted == null || wanted == BackgroundStatus.of(task)) {
            counts.add(task);
            if (tasks.size() < limit) {
              tasks.add(task);
            }
          }
        };
    var all = visit(call, fields.text(Chosen.BATCH_ID, Chosen.ID_CHARS_MAX), wanted, visitor);
    return result(call, tasks, counts, all);
  }

  /** Shows those that are meant, newest first; false where there are too many to look at. */
  private boolean visit(
      ToolCall call,
      @Nullable String batchId,
      @Nullable BackgroundStatus wanted,
      Consumer<ShownTask> visitor)
      throws InterruptedException {
    if (batchId == null) {
      var active = wanted == null ? null : (Boolean) wanted.isLive();
      return reader.each(call, ListTasks.Filter.any(active), visitor);
    }
    var request = Chosen.ofBatch(call, batchId);
    verbs.batches().show().run(call.ask(), request).tasks().forEach(visitor);
    return true;
  }

  private ToolResult result(ToolCall call, List<ShownTask> found, Counts counts, boolean all)
      throws InterruptedException {
    var answer = JsonNodeFactory.instance.objectNode();
    counts.write(answer);
    var tasks = answer.putArray("tasks");
    var shown = new ArrayList<BackgroundText.Row>();
    var room = new ReplyRoom(call.form());
    for (var task : found) {
      var record = new RecordJson(reader).brief(call, task, task.readAtMs());
      if (!room.add(tasks, record, new ArrayList<>(), "")) {
        break;
      }
      shown.add(new BackgroundText.Row(task.shortId(), new TaskSheet(task.view())));
    }
    var more = counts.total() - shown.size();
    answer.put("more", more);
    var total =
        counts.text()
            + (all ? "" : "; older ones are not counted")
            + (more > 0 ? "; " + more + " more are not shown, give limit (100 at most)" : "");
    return ToolResult.of(answer, BackgroundText.list(shown, total, reader.nowMs()));
  }
}
