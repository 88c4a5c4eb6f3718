package dev.errand.daemon.tool.text;

import dev.errand.daemon.output.Elapsed;
import dev.errand.daemon.output.PlainText;
import java.util.List;

/** The tasks of a session in a text that fits into little room. */
public record TaskDigest(
    String session,
    List<TaskSheet> running,
    List<TaskSheet> waiting,
    List<TaskSheet> ended,
    long unread,
    long notices) {

  /** An agent reads it in a context that it has just lost, so it must stay short. */
  public static final int CHARS_MAX = 2_000;

  private static final int LINE_CHARS_MAX = 160;

  /** What became of processes that outlived a task is told even of one with a long description. */
  private static final int LEFT_CHARS_MAX = 80;

  /** Of a task that waits, its place in the queue matters more than its description. */
  private static final int WAIT_CHARS_MAX = 160;

  private static final int WAITING_CHARS_MAX = 110;

  /** Left free for the lines that say how much was left out, and for the last one. */
  private static final int SPARE_CHARS = 300;

  public TaskDigest {
    running = List.copyOf(running);
    waiting = List.copyOf(waiting);
    ended = List.copyOf(ended);
  }

  public String text(long nowMs) {
    if (running.isEmpty() && waiting.isEmpty() && ended.isEmpty()) {
      return "There are no tasks in session " + session + ".";
    }
    var text = new StringBuilder("Your tasks in session " + session + ":\n");
    part(text, "Running", running, nowMs);
    part(text, "Waiting", waiting, nowMs);
    part(text, "Ended lately", ended, nowMs);
    if (unread > 0) {
      text.append(unread).append(" of the ended have a result that nobody has read.\n");
    }
    if (notices > 0) {
      text.append(notices).append(" notices in the inbox are not acknowledged.\n");
    }
    return text.append("More: task_output(task_id), task_wait(task_id).").toString();
  }

  private static void part(StringBuilder text, String title, List<TaskSheet> sheets, long nowMs) {
    if (sheets.isEmpty()) {
      return;
    }
    text.append(title).append(" (").append(sheets.size()).append("):\n");
    for (var i = 0; i < sheets.size(); i++) {
      var line = line(sheets.get(i), nowMs);
      if (text.length() + line.length() > CHARS_MAX - SPARE_CHARS) {
        text.append("- and ").append(sheets.size() - i).append(" more\n");
        return;
      }
      text.append(line);
    }
  }

  private static String line(TaskSheet sheet, long nowMs) {
    var how = sheet.isOver() ? " " + sheet.taskWord() : "";
    var line =
        "- %s%s, %s: %s"
            .formatted(sheet.name(), how, Elapsed.text(sheet.elapsed(nowMs)), sheet.description());
    if (sheet.isWaiting()) {
      return PlainText.line(line, WAITING_CHARS_MAX)
          + "; "
          + PlainText.line(sheet.waitText(nowMs), WAIT_CHARS_MAX)
          + "\n";
    }
    var left = sheet.leftInShort().isEmpty() ? "" : "; " + sheet.leftInShort();
    var room = LINE_CHARS_MAX - Math.min(left.length(), LEFT_CHARS_MAX);
    return PlainText.line(line, room) + PlainText.line(left, LEFT_CHARS_MAX) + "\n";
  }
}
