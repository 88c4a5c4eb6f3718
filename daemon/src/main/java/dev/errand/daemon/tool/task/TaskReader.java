package dev.errand.daemon.tool.task;

import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ShownTask;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads of tasks what tools tell: which there are, how far they are, what they wrote last. */
public final class TaskReader {

  /** Of what a task wrote, in its result. */
  public static final int RESULT_CHARS_MAX = 4_096;

  private static final int LINE_CHARS_MAX = 200;

  /** Of a session with more tasks the newest are counted, and it is said that there are more. */
  private static final int LOOKED_AT_MAX = 10_000;

  private static final int LOOKED_AT_ONCE = 1_000;

  private final ToolServices services;
  private final Tails tails;

  public TaskReader(ToolServices services, Tails tails) {
    this.services = services;
    this.tails = tails;
  }

  public long nowMs() {
    return services.clock().millis();
  }

  /** Tasks of the session that is meant and what these have started, newest first. */
  public List<ShownTask> list(ToolCall call, ListTasks.Filter filter, int limit)
      throws InterruptedException {
    var request = new ListTasks.Matching(filter, null, limit);
    return services.verbs().status().list().run(call.ask(), request).items();
  }

  /**
   * Shows the same ones by one, without a limit but {@link #LOOKED_AT_MAX}; false where there are
   * more.
   */
  public boolean each(ToolCall call, ListTasks.Filter filter, Consumer<ShownTask> visitor)
      throws InterruptedException {
    @Nullable String after = null;
    for (var seen = 0; seen < LOOKED_AT_MAX; seen += LOOKED_AT_ONCE) {
      var request = new ListTasks.Matching(filter, after, LOOKED_AT_ONCE);
      var page = services.verbs().status().list().run(call.ask(), request);
      page.items().forEach(visitor);
      after = page.next();
      if (after == null) {
        return true;
      }
    }
    return false;
  }

  /** The end of what it wrote, and how it ended if it is over. */
  public String result(TaskSheet sheet) {
    var tail = tails.of(sheet.view().id(), RESULT_CHARS_MAX).stripTrailing();
    if (!sheet.isOver()) {
      return tail;
    }
    var left = sheet.left().isEmpty() ? "" : "\n(" + sheet.left() + ")";
    return tail + (tail.isEmpty() ? "" : "\n") + "(" + sheet.ending() + ")" + left;
  }

  public String lastLine(TaskSheet sheet) {
    return PlainText.lastLine(tails.of(sheet.view().id(), 2 * LINE_CHARS_MAX), LINE_CHARS_MAX);
  }

  /** The last line and how much was written. */
  public String progress(TaskSheet sheet) {
    var line = lastLine(sheet);
    return (line.isEmpty() ? "" : line + " ") + "(" + sheet.bytesText() + ")";
  }
}
