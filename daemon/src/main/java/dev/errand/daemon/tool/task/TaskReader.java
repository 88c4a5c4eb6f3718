package dev.errand.daemon.tool.task;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.core.time.Time;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.excerpt.OutputCursor;
import dev.errand.daemon.tool.excerpt.OutputReader;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.OpenEvents;
import dev.errand.daemon.verb.ReadEvents;
import dev.errand.daemon.verb.ReadTail;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads of tasks what tools tell: which there are, how far they are, what they wrote last. */
public final class TaskReader {

  private static final int LINE_CHARS_MAX = 200;

  /** Enough to see whether there is output. */
  private static final int LOOK_CHARS = 64;

  /** Of a session with more tasks the newest are counted, and it is said that there are more. */
  private static final int LOOKED_AT_MAX = 10_000;

  private static final int LOOKED_AT_ONCE = 1_000;

  private final Verbs verbs;
  private final Time clock;
  private final OutputReader output;

  public TaskReader(Verbs verbs, Time clock) {
    this.verbs = verbs;
    this.clock = clock;
    this.output = new OutputReader(verbs);
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

  /** What it wrote, as much as there is room for. */
  public String written(ToolCall call, TaskSheet sheet, int room) throws InterruptedException {
    var part = output.ends(call.ask(), sheet.view(), room, it -> outputCall(sheet, it));
    return part.text().stripTrailing();
  }

  /** The same, and how it ended if it is over. */
  public static String result(TaskSheet sheet, String written) {
    if (!sheet.isOver()) {
      return written;
    }
    var left = sheet.left().isEmpty() ? "" : "\n(" + sheet.left() + ")";
    var dropped = sheet.dropped().isEmpty() ? "" : "\n(" + sheet.dropped() + ")";
    var between = written.isEmpty() ? "" : "\n";
    return written + between + "(" + sheet.ending() + ")" + left + dropped;
  }

  /** That the task is over and never became ready, if that was to be; else empty. */
  public String missedReadiness(ToolCall call, TaskSheet sheet) throws InterruptedException {
    if (!sheet.isOver() || sheet.view().facts().progress().readyAtMs() > 0) {
      return "";
    }
    var opened = new OpenEvents.Request(sheet.view().id());
    var spec = verbs.events().open().run(call.ask(), opened).spec();
    return sheet.view().missedReadiness(spec)
        ? "It never became ready: ready_when did not hold before its end.\n"
        : "";
  }

  /** The call that reads on from there. */
  public static String outputCall(TaskSheet sheet, OutputCursor cursor) {
    return "task_output(task_id: \"%s\", cursor: \"%s\")".formatted(sheet.shortId(), cursor.text());
  }

  public OutputReader output() {
    return output;
  }

  /** The task as it is now; it counts as read where it is over. */
  public ShownTask now(ToolCall call, TaskId taskId) throws InterruptedException {
    return verbs.status().show().run(call.ask(), new ShowTask.Request(taskId));
  }

  /** The task when it has output after that cursor, is over, or the time has passed. */
  public ShownTask awaitOutput(ToolCall call, TaskId taskId, OutputCursor cursor, Duration patience)
      throws InterruptedException {
    var end = clock.ticks() + patience.toNanos();
    var task = now(call, taskId);
    while (!task.isOver() && !hasMore(call, task.view(), cursor)) {
      var left = Duration.ofNanos(end - clock.ticks());
      if (!left.isPositive()) {
        return task;
      }
      var seq = task.view().facts().progress().lastSeq();
      var request = new ReadEvents.Request(taskId, seq, 1, left);
      var _ = verbs.events().read().run(call.ask(), request);
      task = now(call, taskId);
    }
    return task;
  }

  /** Whether there is something to show; half of a character is not. */
  private boolean hasMore(ToolCall call, TaskView view, OutputCursor cursor)
      throws InterruptedException {
    var part = output.after(call.ask(), view, cursor, LOOK_CHARS);
    return part.more() || !part.next().equals(cursor);
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
