package dev.errand.daemon.tool.text;

import dev.errand.core.task.End;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.output.PlainText;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.LeftoverText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A task as the tools for agents see it, in the words of the two families of tools. All texts are
 * plain.
 */
public record TaskSheet(TaskView view) {
  private static final int DESCRIPTION_CHARS_MAX = 200;
  private static final int REASON_CHARS_MAX = 500;
  private static final int LEFT_CHARS_MAX = 1_500;

  public String id() {
    return view.id().value();
  }

  public @Nullable String label() {
    return view.facts().origin().label();
  }

  public @Nullable String batchId() {
    return view.facts().grouping().batchId();
  }

  public String sessionId() {
    return view.facts().origin().sessionId().value();
  }

  /** What it is for, as far as its caller said; otherwise what it runs. */
  public String description() {
    var title = view.facts().origin().title();
    return PlainText.line(title == null ? command() : title, DESCRIPTION_CHARS_MAX);
  }

  /** The word for who does it. */
  public String agent() {
    return switch (view.facts().work()) {
      case TaskView.OfCommand it -> it.kind().word();
    };
  }

  public String command() {
    return PlainText.of(view.facts().work().line());
  }

  public boolean isWaiting() {
    return switch (view) {
      case TaskView.Held _, TaskView.Queued _ -> true;
      case TaskView.Running _, TaskView.Ended _ -> false;
    };
  }

  /** What it waits for, as far as that is known: {@code waits in lane "shell", place 2, …}. */
  public String waitText(long nowMs) {
    return WaitText.of(view, nowMs);
  }

  public boolean isOver() {
    return view.isOver();
  }

  public boolean endedWell() {
    return view.isSuccess();
  }

  public boolean isCancelled() {
    return view.end() instanceof End.Cancelled;
  }

  public @Nullable Integer exitCode() {
    var exit = view.exit();
    return exit == null ? null : exit.code();
  }

  /** {@code spawned running completed failed killed timeout}. */
  public String taskWord() {
    return switch (view) {
      case TaskView.Held _, TaskView.Queued _ -> "spawned";
      case TaskView.Running _ -> "running";
      case TaskView.Ended it ->
          switch (it.end()) {
            case End.Exited exited -> exited.isSuccess() ? "completed" : "failed";
            case End.LimitPassed passed -> passed.isTimeout() ? "timeout" : "failed";
            case End.Cancelled _ -> "killed";
            case End.NotStarted _, End.Lost _, End.Corrupt _, End.Denied _, End.ApprovalExpired _ ->
                "failed";
          };
    };
  }

  public BackgroundStatus backgroundStatus() {
    return BackgroundStatus.of(view);
  }

  public long createdAtMs() {
    return view.facts().origin().createdAtMs();
  }

  public @Nullable Long startedAtMs() {
    return view.startedAtMs() == 0 ? null : (Long) view.startedAtMs();
  }

  public @Nullable Long endedAtMs() {
    var end = view.end();
    return end == null ? null : (Long) end.atMs();
  }

  /** From its start, or while it waits from its spawn, to its end or to now. */
  public Duration elapsed(long nowMs) {
    var started = startedAtMs();
    var ended = endedAtMs();
    var from = started == null ? createdAtMs() : started;
    return Duration.ofMillis(Math.max(0, (ended == null ? nowMs : ended) - from));
  }

  /** Why it is not well, or how it ended; what a result closes with. */
  public String ending() {
    var end = view.end();
    if (end == null) {
      return "";
    }
    if (end instanceof End.Cancelled it) {
      return "cancelled" + because(it.reason());
    }
    var error = EndJson.error(end);
    if (error != null) {
      return PlainText.line(error, REASON_CHARS_MAX) + because(ownMessage(end, error));
    }
    var exit = end.exit();
    return exit == null || exit.signal() == null
        ? "exit code " + exitCode()
        : "killed by signal " + exit.signal();
  }

  /** What became of processes that outlived it; empty where there is nothing to tell. */
  public String left() {
    return PlainText.line(LeftoverText.of(view.leftovers()), LEFT_CHARS_MAX);
  }

  /** The word for that, and the pids of those that were ended. */
  public @Nullable String leftover() {
    return view.exit() == null ? null : view.leftovers().outcome();
  }

  public List<Long> killed() {
    var end = view.end();
    return end == null ? List.of() : EndJson.killed(end);
  }

  private static @Nullable String ownMessage(End end, String error) {
    var message = EndJson.message(end);
    return message == null || error.endsWith(message) ? null : message;
  }

  private static String because(@Nullable String reason) {
    return reason == null ? "" : ": " + PlainText.line(reason, REASON_CHARS_MAX);
  }

  public List<TaskView.Log> logs() {
    return view.facts().progress().logs();
  }

  /** {@code "stdout 12 bytes, stderr 0 bytes"}. */
  public String bytesText() {
    return logs().stream()
        .map(it -> it.stream().word() + ' ' + it.bytesTotal() + " bytes")
        .collect(Collectors.joining(", "));
  }
}
