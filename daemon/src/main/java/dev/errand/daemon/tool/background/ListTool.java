package dev.errand.daemon.tool.background;

import dev.errand.core.journal.TaskRow;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.task.TaskReader;
import dev.errand.daemon.tool.text.BackgroundStatus;
import dev.errand.daemon.tool.text.BackgroundText;
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
          .session();

  private final TaskReader reader;

  ListTool(TaskReader reader) {
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
  public ToolResult call(ToolCall call) {
    var fields = call.fields(ARGUMENTS.names());
    var given = fields.integer("limit", 1, LIMIT_MAX);
    var limit = given == null ? LIMIT : given.intValue();
    var word = fields.word("status", BackgroundStatus.words());
    var wanted = word == null ? null : BackgroundStatus.ofWord(word);
    var counts = new Counts();
    var rows = new ArrayList<TaskRow>();
    Consumer<TaskRow> visitor =
        row -> {
          if (wanted == null || wanted == BackgroundStatus.of(row)) {
            counts.add(row);
            if (rows.size() < limit) {
              rows.add(row);
            }
          }
        };
    var all = visit(call, fields.text(Chosen.BATCH_ID, Chosen.ID_CHARS_MAX), wanted, visitor);
    return result(rows, counts, all);
  }

  /** Shows those that are meant, newest first; false where there are too many to look at. */
  private boolean visit(
      ToolCall call,
      @Nullable String batchId,
      @Nullable BackgroundStatus wanted,
      Consumer<TaskRow> visitor) {
    if (batchId == null) {
      return reader.each(call, wanted == null ? null : (Boolean) wanted.isLive(), visitor);
    }
    reader.batch(call, batchId).rows().forEach(visitor);
    return true;
  }

  private ToolResult result(List<TaskRow> rows, Counts counts, boolean all) {
    var answer = JsonNodeFactory.instance.objectNode();
    counts.write(answer);
    answer.put("more", !all);
    var tasks = answer.putArray("tasks");
    var shown = new ArrayList<BackgroundText.Row>();
    for (var row : rows) {
      var sheet = reader.sheet(row);
      tasks.add(new RecordJson(reader).brief(sheet, row.lifetime().readAtMs()));
      shown.add(new BackgroundText.Row(reader.shortId(sheet.id()), sheet));
    }
    var total = counts.text() + (all ? "" : "; older ones are not counted");
    return ToolResult.of(answer, BackgroundText.list(shown, total, reader.nowMs()));
  }
}
