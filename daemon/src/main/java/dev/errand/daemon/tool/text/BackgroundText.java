package dev.errand.daemon.tool.text;

import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the background tools answer: Markdown with a heading, a table and what the task wrote. */
public final class BackgroundText {
  private static final int DESCRIPTION_CHARS_MAX = 30;
  private static final int COMMAND_CHARS_MAX = 500;
  private static final String RULE = "\n---\n";

  private BackgroundText() {}

  /** A task in a list; {@code id} is as much of its id as is needed. */
  public record Row(String id, TaskSheet sheet) {}

  /** {@code tells} says whether the caller is told of its end. */
  public static String launched(TaskSheet sheet, boolean tells, long nowMs) {
    var waits = sheet.waitsForSomething();
    return """
    ⏳ **Background task %s**
    Task ID: `%s`
    Session ID: `%s`

    %sbackground_output(task_id: "%s") shows how it stands.\
    """
        .formatted(
            waits ? "is not started yet: it " + sheet.waitText(nowMs) : "launched",
            sheet.shortId(),
            sheet.sessionId(),
            tells ? "You are told when it ends. " : "",
            sheet.shortId());
  }

  /** {@code total} says how many there are, of which these are the newest. */
  public static String list(List<Row> rows, String total, long nowMs) {
    var text = new StringBuilder("# Background Tasks\n\n");
    if (rows.isEmpty()) {
      return text.append("There are none.").toString();
    }
    line(text, List.of("Task ID", "Description", "Agent", "Status", "Duration"));
    text.append("|---|---|---|---|---|\n");
    for (var row : rows) {
      var sheet = row.sheet();
      var status = sheet.backgroundStatus();
      line(
          text,
          List.of(
              "`" + row.id() + "`",
              cell(sheet.description(), DESCRIPTION_CHARS_MAX),
              sheet.agent(),
              status.icon() + " " + status.word(),
              Elapsed.text(sheet.elapsed(nowMs))));
    }
    return text.append(RULE).append(total).toString();
  }

  public static String total(int total, Map<String, Integer> byWord) {
    var each = byWord.entrySet().stream().map(it -> it.getValue() + " " + it.getKey()).toList();
    return "**Total: " + total + "** (" + String.join(", ", each) + ")";
  }

  /** How a task stands that is not over. */
  public static String status(TaskSheet sheet, String lastLine, long nowMs) {
    var text = new StringBuilder("# " + sheet.backgroundStatus().icon() + " Task Status\n\n");
    fields(text, facts(sheet, lastLine, nowMs));
    text.append("\nIt goes on in the background.\n\n## Command\n\n");
    return text.append(block(sheet.command())).toString();
  }

  /** What came of a task that is over. */
  public static String result(TaskSheet sheet, String result, long nowMs) {
    var title =
        switch (sheet.backgroundStatus()) {
          case COMPLETED -> "Task Completed";
          case CANCELLED -> "Task Cancelled";
          case RUNNING, RESUMED, ERROR -> "Task Failed";
        };
    var text = new StringBuilder("**" + title + "**\n\n");
    fields(text, facts(sheet, "", nowMs));
    return text.append(RULE).append(result).toString();
  }

  private static Map<String, String> facts(TaskSheet sheet, String lastLine, long nowMs) {
    var status = sheet.backgroundStatus();
    var facts = new LinkedHashMap<String, String>();
    facts.put("Task ID", "`" + sheet.shortId() + "`");
    facts.put("Description", cell(sheet.description(), COMMAND_CHARS_MAX));
    facts.put("Agent", sheet.agent());
    facts.put(
        "Status", status.icon() + " " + (sheet.isOver() ? status.word() : state(sheet, nowMs)));
    facts.put("Duration", Elapsed.text(sheet.elapsed(nowMs)));
    facts.put("Session ID", "`" + sheet.sessionId() + "`");
    if (!sheet.isOver()) {
      facts.put("Output", sheet.bytesText());
    }
    if (!lastLine.isEmpty()) {
      facts.put("Last line", cell(lastLine, COMMAND_CHARS_MAX));
    }
    return facts;
  }

  private static String state(TaskSheet sheet, long nowMs) {
    var state = sheet.isWaiting() ? sheet.waitText(nowMs) : sheet.state(nowMs);
    return cell(state, COMMAND_CHARS_MAX);
  }

  private static void fields(StringBuilder text, Map<String, String> facts) {
    line(text, List.of("Field", "Value"));
    text.append("|---|---|\n");
    facts.forEach((name, value) -> line(text, List.of(name, value)));
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String cell(String text, int charsMax) {
    return PlainText.line(text, charsMax).replace("|", "\\|");
  }

  /** Indented, so that no back-ticks in it can end it. */
  private static String block(String text) {
    var cut =
        text.length() <= COMMAND_CHARS_MAX ? text : text.substring(0, COMMAND_CHARS_MAX) + "…";
    return "    " + cut.strip().replace("\n", "\n    ");
  }
}
