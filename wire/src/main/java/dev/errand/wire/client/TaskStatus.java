package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.json.EndJson;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.LeftoverText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of a task at the time of the request; {@link #fields} has all other fields. */
public record TaskStatus(JsonFields fields) {
  private static final Set<String> LIVE = Set.of("queued", "running");

  static boolean isEnd(String status) {
    return !status.isEmpty() && !LIVE.contains(status);
  }

  public TaskId taskId() {
    return new TaskId(fields.text("task_id"));
  }

  /** {@code queued}, {@code running}, {@code exited}, {@code failed} or {@code cancelled}. */
  public String status() {
    return fields.text("status");
  }

  public boolean isEnded() {
    return isEnd(status());
  }

  public boolean hasTerminal() {
    return fields.text("execution_mode", "pipes").equals("pty");
  }

  public String sessionId() {
    return fields.text("session_id", "");
  }

  public String tool() {
    return fields.text("tool", "");
  }

  public String command() {
    return fields.text("command", "");
  }

  public String cwd() {
    return fields.text("cwd", "");
  }

  /** The present size of its terminal; absent where it has none. */
  public @Nullable TerminalSize terminal() {
    var rows = fields.numberOrNull("rows");
    var cols = fields.numberOrNull("cols");
    return rows == null || cols == null
        ? null
        : new TerminalSize(Math.toIntExact(rows), Math.toIntExact(cols));
  }

  public @Nullable String title() {
    return fields.textOrNull("title");
  }

  public @Nullable String label() {
    return fields.textOrNull("label");
  }

  /** Absent while it runs, and where no process ever ended. */
  public @Nullable Integer exitCode() {
    var code = fields.numberOrNull("exit_code");
    return code == null ? null : Math.toIntExact(code);
  }

  public @Nullable String signal() {
    return fields.textOrNull("signal");
  }

  /** Why it failed, in S0's words; absent where it did not. */
  public @Nullable String error() {
    return fields.textOrNull("error");
  }

  /** How it ended, in one word. */
  public @Nullable String reason() {
    return fields.textOrNull("reason");
  }

  public @Nullable String message() {
    return fields.textOrNull("message");
  }

  /** Who cancelled it. */
  public @Nullable String by() {
    return fields.textOrNull("by");
  }

  public @Nullable Long pid() {
    return fields.numberOrNull("pid");
  }

  public int attempt() {
    return Math.toIntExact(fields.number("attempt", 0));
  }

  public boolean isCancelRequested() {
    return fields.has("cancel_requested");
  }

  /** The question that a person must answer before it continues; absent if there is none. */
  public @Nullable String waitingFor() {
    return fields.object("waiting_for").textOrNull("text");
  }

  /** Whether it is held until a person approves. */
  public boolean isHeld() {
    return "approval".equals(fields.object("waiting_for").textOrNull("kind"));
  }

  /** When the question is over; absent where there is none. */
  public @Nullable Instant waitsUntil() {
    var millis = fields.object("waiting_for").numberOrNull("until_ms");
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** What a queued task waits for, such as {@code lane}; absent where it does not wait. */
  public @Nullable String queueReason() {
    return fields.object("queue").textOrNull("reason");
  }

  /** Its position, from 1, among tasks that wait for the same; absent if there is no such queue. */
  public @Nullable Long queuePosition() {
    return fields.object("queue").numberOrNull("position");
  }

  /** The task that must change first; absent if it is not a single one. */
  public @Nullable String queuedBehind() {
    return fields.object("queue").textOrNull("behind");
  }

  /** When its delay ends; absent where it waits for something else. */
  public @Nullable Instant queuedUntil() {
    var millis = fields.object("queue").numberOrNull("until_ms");
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /**
   * What became of processes that outlived it: {@code none}, {@code killed}, {@code kept} or {@code
   * unknown}; absent until it is over.
   */
  public @Nullable String leftover() {
    return fields.textOrNull("leftover");
  }

  /** The same as text, with the processes; empty if there were none. */
  public String leftoverText() {
    return LeftoverText.of(EndJson.readLeftovers(fields));
  }

  /** Pids of processes that may be of this task or of another that ran with it. */
  public List<Long> escaped() {
    var pids = new ArrayList<Long>();
    fields.node().path("escaped").forEach(it -> pids.add(new JsonFields(it).number("pid", 0)));
    return pids;
  }

  /**
   * The addresses that its processes listened on, such as {@code 127.0.0.1:8080}; empty in a list.
   */
  public List<String> listening() {
    var addresses = new ArrayList<String>();
    fields
        .node()
        .path("ports")
        .forEach(it -> addresses.add(new JsonFields(it).text("address", "")));
    return addresses;
  }

  /** Whether its processes were stopped, as by SIGSTOP; never in a list. */
  public boolean isStopped() {
    return fields.bool("stopped", false);
  }

  public @Nullable Instant createdAt() {
    return instant("created_at_ms");
  }

  public @Nullable Instant startedAt() {
    return instant("started_at_ms");
  }

  public @Nullable Instant endedAt() {
    return instant("ended_at_ms");
  }

  private @Nullable Instant instant(String name) {
    var millis = fields.numberOrNull(name);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** How many bytes the stream has seen; some may be gone. */
  public long bytesTotal(LogStream stream) {
    return log(stream).number("bytes_total", 0);
  }

  /** The digest of the stream's log; absent until the task is over, and where it wrote nothing. */
  public @Nullable String artifactId(LogStream stream) {
    return log(stream).textOrNull("artifact_id");
  }

  private JsonFields log(LogStream stream) {
    return fields.object("artifacts").object("logs").object(stream.word());
  }

  public long lastSeq() {
    return fields.number("last_seq", -1);
  }

  /** The whole status as JSON. */
  public String text() {
    return Json.text(fields.node());
  }
}
