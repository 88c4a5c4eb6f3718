package dev.errand.daemon.tool.text;

import dev.errand.daemon.output.PlainText;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.LeftoverText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as the tools for agents see it: its status object, in the words of the two families of
 * tools. All texts are plain.
 */
public record TaskSheet(JsonFields status) {
  private static final int DESCRIPTION_CHARS_MAX = 200;
  private static final int REASON_CHARS_MAX = 500;
  private static final int LEFT_CHARS_MAX = 1_500;

  public String id() {
    return status.text("task_id");
  }

  public @Nullable String label() {
    return status.textOrNull("label");
  }

  public @Nullable String batchId() {
    return status.textOrNull("batch_id");
  }

  public String sessionId() {
    return status.text("session_id", "");
  }

  /** What it is for, as far as its caller said; otherwise what it runs. */
  public String description() {
    var title = status.textOrNull("title");
    return PlainText.line(title == null ? command() : title, DESCRIPTION_CHARS_MAX);
  }

  public String command() {
    return PlainText.of(status.text("command", ""));
  }

  public boolean isWaiting() {
    return state().equals("queued");
  }

  /** What it waits for, as far as that is known: {@code waits (lane, place 2)}. */
  public String waitText() {
    if (status.has("waiting_for")) {
      return "waits (" + status.object("waiting_for").text("kind", "") + ")";
    }
    var queue = status.object("queue");
    var reason = queue.textOrNull("reason");
    if (reason == null) {
      return "waits";
    }
    var place = queue.has("position") ? ", place " + queue.number("position") : "";
    return "waits (" + reason.replace('_', ' ') + place + ")";
  }

  public boolean isOver() {
    return !isWaiting() && !state().equals("running");
  }

  public boolean endedWell() {
    return state().equals("exited") && status.number("exit_code", -1) == 0;
  }

  public boolean isCancelled() {
    return state().equals("cancelled");
  }

  private String state() {
    return status.text("status");
  }

  public @Nullable Long exitCode() {
    return status.numberOrNull("exit_code");
  }

  /** {@code spawned running completed failed killed timeout}. */
  public String taskWord() {
    return switch (state()) {
      case "queued" -> "spawned";
      case "running" -> "running";
      case "cancelled" -> "killed";
      default -> {
        var timedOut = "timeout".equals(status.textOrNull("error"));
        yield endedWell() ? "completed" : timedOut ? "timeout" : "failed";
      }
    };
  }

  /** {@code running completed error cancelled}. */
  public String backgroundWord() {
    return switch (state()) {
      case "queued", "running" -> "running";
      case "cancelled" -> "cancelled";
      default -> endedWell() ? "completed" : "error";
    };
  }

  public long createdAtMs() {
    return status.number("created_at_ms", 0);
  }

  public @Nullable Long startedAtMs() {
    return status.numberOrNull("started_at_ms");
  }

  public @Nullable Long endedAtMs() {
    return status.numberOrNull("ended_at_ms");
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
    if (isCancelled()) {
      return "cancelled" + because(status.textOrNull("message"));
    }
    var error = status.textOrNull("error");
    if (error != null) {
      return PlainText.line(error, REASON_CHARS_MAX) + because(ownMessage(error));
    }
    var signal = status.textOrNull("signal");
    return signal == null ? "exit code " + exitCode() : "killed by signal " + signal;
  }

  /** What became of processes that outlived it; empty where there is nothing to tell. */
  public String left() {
    return PlainText.line(LeftoverText.of(status), LEFT_CHARS_MAX);
  }

  /** The word for that, and the pids of those that were ended. */
  public @Nullable String leftover() {
    return status.textOrNull("leftover");
  }

  public List<Long> killed() {
    return status.numbers("killed");
  }

  /** Whether it is over and processes of it were allowed to live on. */
  public boolean hasKept() {
    return "kept".equals(leftover());
  }

  private @Nullable String ownMessage(String error) {
    var message = status.textOrNull("message");
    return message == null || error.endsWith(message) ? null : message;
  }

  private static String because(@Nullable String reason) {
    return reason == null ? "" : ": " + PlainText.line(reason, REASON_CHARS_MAX);
  }

  /** What each of its streams has had so far. */
  public Map<String, Long> bytes() {
    var bytes = new LinkedHashMap<String, Long>();
    var logs = status.object("artifacts").object("logs");
    for (var stream : logs.node().propertyNames()) {
      bytes.put(stream, logs.object(stream).number("bytes_total", 0));
    }
    return bytes;
  }

  /** {@code "stdout 12 bytes, stderr 0 bytes"}. */
  public String bytesText() {
    var text = new StringBuilder();
    bytes()
        .forEach((stream, count) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(stream)
                .append(' ')
                .append(count)
                .append(" bytes"));
    return text.toString();
  }
}
