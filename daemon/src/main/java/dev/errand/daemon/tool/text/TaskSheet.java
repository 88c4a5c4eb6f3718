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
  private static final int COMMAND_CHARS_MAX = 200;
  private static final int REASON_CHARS_MAX = 500;
  private static final int LEFT_CHARS_MAX = 1_500;

  public String id() {
    return view.id().value();
  }

  /** The beginning of it that texts show: its time and counter, which no other task has. */
  public String shortId() {
    return view.id().brief();
  }

  /** How a text names it: its short id and its label. */
  public String name() {
    var label = label();
    return label == null ? shortId() : shortId() + " \"" + label + "\"";
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

  /** The beginning of the command; all of it is told by the status of the task. */
  public String shortCommand() {
    return PlainText.line(command(), COMMAND_CHARS_MAX);
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

  /** Whether it is known to wait for something; a task that was just accepted may start at once. */
  public boolean waitsForSomething() {
    return switch (view) {
      case TaskView.Held _ -> true;
      case TaskView.Queued it -> it.place() != null;
      case TaskView.Running _, TaskView.Ended _ -> false;
    };
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

  /** How it stands in words, in those of the tools for tasks. */
  public String state(long nowMs) {
    return switch (view) {
      case TaskView.Held _, TaskView.Queued _ -> "spawned, " + waitText(nowMs) + ranBefore();
      case TaskView.Running it -> running(it);
      case TaskView.Ended _ ->
          taskWord() + (endedWell() ? "" : " (" + ending() + ")") + ranBefore();
    };
  }

  private String running(TaskView.Running running) {
    var cancel = view.facts().progress().cancel();
    if (cancel != null) {
      return "running; its end was asked for by %s (%s), it is still running"
          .formatted(cancel.by(), PlainText.line(cancel.reason(), REASON_CHARS_MAX));
    }
    var prompt = running.prompt();
    return "running"
        + (prompt == null ? "" : ", waits for input at " + quoted(prompt.snippet()))
        + ranBefore();
  }

  private static String quoted(String text) {
    return '"' + PlainText.line(text, DESCRIPTION_CHARS_MAX) + '"';
  }

  /** That an earlier attempt was lost and it was run again. */
  private String ranBefore() {
    var attempts = view.facts().progress().attempts();
    return attempts <= 1
        ? ""
        : ", attempt %d: it ran before, and that attempt was lost".formatted(attempts);
  }

  /** What the output cap dropped; empty where nothing is missing. */
  public String dropped() {
    return logs().stream()
        .filter(TaskView.Log::truncated)
        .map(it ->
            "%,d bytes of %s were dropped by the output cap"
                .formatted(it.bytesTotal() - it.bytesStored(), it.stream().word()))
        .collect(Collectors.joining("; "));
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
      return "cancelled by " + PlainText.line(it.by(), REASON_CHARS_MAX) + because(it.reason());
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

  /** The code of its end where it is not well, why, and who wanted it. */
  public @Nullable String error() {
    var end = view.end();
    return end == null ? null : EndJson.error(end);
  }

  public @Nullable String reason() {
    var end = view.end();
    return end == null || endedWell() ? null : EndJson.reason(end);
  }

  public @Nullable String by() {
    var end = view.end();
    return end == null ? null : EndJson.by(end);
  }

  /** What became of processes that outlived it; empty where there is nothing to tell. */
  public String left() {
    return PlainText.line(LeftoverText.of(view.leftovers()), LEFT_CHARS_MAX);
  }

  /** The same without what to do about it. */
  public String leftInShort() {
    return PlainText.line(LeftoverText.brief(view.leftovers()), LEFT_CHARS_MAX);
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
