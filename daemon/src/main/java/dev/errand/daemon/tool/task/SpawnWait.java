package dev.errand.daemon.tool.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitForTask;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A short wait after a spawn, so that a quick command costs one call. */
public final class SpawnWait {
  public static final String WAIT_MS = "wait_ms";
  public static final long WAIT_MS_MAX = 60_000;

  /** What agents wait who are given the set of tools for them. */
  private static final long WAIT_MS_OF_AGENTS = 5_000;

  private final Verbs verbs;
  private final TaskReader reader;

  public SpawnWait(Verbs verbs, TaskReader reader) {
    this.verbs = verbs;
    this.reader = reader;
  }

  /** How long a call waits. */
  public static Duration patience(ToolCall call, RequestFields fields) {
    var given = fields.integer(WAIT_MS, 0, WAIT_MS_MAX);
    var usual = call.form().forAgents() ? WAIT_MS_OF_AGENTS : 0;
    return Duration.ofMillis(given == null ? usual : given);
  }

  /**
   * The task as it stands after the wait: over, at a prompt, or when the time has passed. Null
   * where nothing was waited for: it is held, or too many calls wait. The spawn counts all the
   * same.
   */
  public @Nullable ShownTask after(ToolCall call, TaskView accepted, Duration patience)
      throws InterruptedException {
    if (patience.isZero() || accepted instanceof TaskView.Held) {
      return null;
    }
    var request = WaitForTask.Request.forEndOrPrompt(accepted, patience);
    try {
      return verbs.status().await().run(call.ask(), request).task();
    } catch (ErrandException e) {
      if (e.code() == ErrorCode.LIMIT_EXCEEDED) {
        return null;
      }
      throw e;
    }
  }

  /** What a task that is not over has written so far, and what to call next. */
  public String progress(ToolCall call, TaskSheet sheet) throws InterruptedException {
    var part = reader.output().tail(call.ask(), sheet.view(), call.form().outputChars() / 2);
    var text = part.text().stripTrailing();
    var next = TaskReader.outputCall(sheet, part.next());
    return (text.isEmpty() ? "" : text + "\n")
        + "More: "
        + next
        + "; its end: task_wait(task_id: \""
        + sheet.shortId()
        + "\").";
  }
}
