package dev.errand.daemon.tool.task;

import dev.errand.core.time.Time;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ReadTail;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
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

  private final Verbs verbs;
  private final Time clock;

  public TaskReader(Verbs verbs, Time clock) {
    this.verbs = verbs;
    this.clock = clock;
  }

  public long nowMs() {
    return clock.millis();
  }

  /** Tasks of the session that is meant and what these have started, newest first. */
  public List<ShownTask> list(ToolCall call, ListTasks.Filter filter, int limit)
      throws InterruptedException {
    var request = new ListTasks.Matching(filter, null, limit);
    return verbs.status().list().run(call.ask(), request).items();
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
      var page = verbs.status().list().run(call.ask(), request);
      page.items().forEach(visitor);
      after = page.next();
      if (after == null) {
        return true;
      }
    }
    return false;
  }

  /** The end of what it wrote, and how it ended if it is over. */
  public String result(ToolCall call, TaskSheet sheet) throws InterruptedException {
    var tail = tail(call, sheet, RESULT_CHARS_MAX).text().stripTrailing();
    if (!sheet.isOver()) {
      return tail;
    }
    var left = sheet.left().isEmpty() ? "" : "\n(" + sheet.left() + ")";
    return tail + (tail.isEmpty() ? "" : "\n") + "(" + sheet.ending() + ")" + left;
  }

  public String lastLine(ToolCall call, TaskSheet sheet) throws InterruptedException {
    return tail(call, sheet, 2 * LINE_CHARS_MAX).lastLine(LINE_CHARS_MAX);
  }

  /** The last line and how much was written. */
  public String progress(ToolCall call, TaskSheet sheet) throws InterruptedException {
    var line = lastLine(call, sheet);
    return (line.isEmpty() ? "" : line + " ") + "(" + sheet.bytesText() + ")";
  }

  private ReadTail.Tail tail(ToolCall call, TaskSheet sheet, int charsMax)
      throws InterruptedException {
    var request = new ReadTail.Request(sheet.view().id(), charsMax);
    return verbs.output().tail().run(call.ask(), request);
  }
}
