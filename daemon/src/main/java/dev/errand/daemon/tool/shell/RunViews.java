package dev.errand.daemon.tool.shell;

import dev.errand.core.engine.Snapshot;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.LeftoverText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs in the form in which the tool answers. */
final class RunViews {
  private static final List<String> LEFTOVERS =
      List.of("leftover", "killed", "survivors", "leftover_processes");

  private static final int LEFT_CHARS_MAX = 1_500;

  private final ToolServices services;
  private final FrameCodec codec;
  private final RunItems items;
  private final ShownOutput shown;
  private final Tails tails;

  RunViews(ToolServices services, FrameCodec codec, RunItems items, ShownOutput shown) {
    this.services = services;
    this.codec = codec;
    this.items = items;
    this.shown = shown;
    var tasks = services.tasks();
    this.tails =
        new Tails(tasks.journal(), codec, services.output().logs(), tasks.engine()::liveSnapshot);
  }

  Run run(TaskId taskId) {
    return Run.of(taskId, services.tasks().journal(), codec);
  }

  RunItems items() {
    return items;
  }

  JsonFields status(TaskRow row) {
    return JsonFields.of(services.tasks().views().status(row));
  }

  /** A run that has just been accepted; nothing is looked up, since it is about to be committed. */
  static ObjectNode accepted(Snapshot snapshot, boolean background) {
    if (!(snapshot.state() instanceof TaskState.Present it)) {
      throw new IllegalStateException("an accepted task is there");
    }
    var spec = it.known().spec();
    return JsonNodeFactory.instance
        .objectNode()
        .put(ShellTool.RUN_ID, snapshot.taskId().value())
        .put("session_id", spec.origin().sessionId().value())
        .put("status", RunStatus.QUEUED)
        .put("queued_at", time(it.known().spawnedAtMs()))
        .put("background", background)
        .put("pty", spec.io().terminal() != null);
  }

  /** All that is known of a run but its items. */
  ObjectNode head(TaskRow row, JsonFields status) {
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put(ShellTool.RUN_ID, row.id().value())
            .put("session_id", row.sessionId().value())
            .put("status", RunStatus.of(status))
            .put("command", status.text("command", ""));
    number(node, "exit_code", status.numberOrNull("exit_code"));
    node.put("output_bytes", outputBytes(status))
        .put("truncated", isTruncated(row, status))
        .put("error_message", errorMessage(status))
        .put("queued_at", time(status.number("created_at_ms", 0)))
        .put("started_at", time(status.number("started_at_ms", 0)))
        .put("finished_at", time(status.number("ended_at_ms", 0)))
        .put("updated_at", updatedAt(row.id()));
    return leftovers(node, status);
  }

  /** What became of processes that outlived the run, where there were some. */
  static ObjectNode leftovers(ObjectNode node, JsonFields status) {
    if (!LeftoverText.of(status).isEmpty()) {
      for (var name : LEFTOVERS) {
        node.set(name, status.node().path(name).deepCopy());
      }
    }
    return node;
  }

  /** The same in words; empty where there is nothing to tell. */
  static String left(ObjectNode node) {
    return PlainText.line(LeftoverText.of(new JsonFields(node)), LEFT_CHARS_MAX);
  }

  private static void number(ObjectNode node, String name, @Nullable Long value) {
    if (value == null) {
      node.putNull(name);
    } else {
      node.put(name, value);
    }
  }

  private static long outputBytes(JsonFields status) {
    var bytes = 0L;
    for (var log : status.object("artifacts").object("logs").node()) {
      bytes += new JsonFields(log).number("bytes_total", 0);
    }
    return bytes;
  }

  /** By the bound of the run, or by the cap of its logs. */
  private boolean isTruncated(TaskRow row, JsonFields status) {
    for (var log : status.object("artifacts").object("logs").node()) {
      if (new JsonFields(log).bool("truncated", false)) {
        return true;
      }
    }
    return shown.cut(run(row.id()), status.number("last_seq", 0)) != null;
  }

  private static @Nullable String errorMessage(JsonFields status) {
    var error = status.textOrNull("error");
    var message = status.textOrNull("message");
    if (error != null) {
      return message == null || error.contains(message) ? error : error + ": " + message;
    }
    return message;
  }

  /** The time of the newest frame. */
  @Nullable String updatedAt(TaskId taskId) {
    var journal = services.tasks().journal();
    var stream = StreamKey.of(taskId);
    var last = journal.read(stream, journal.lastSeq(stream) - 1, 1);
    return last.isEmpty() ? null : time(codec.decodeTask(last.getFirst()).head().timestampMs());
  }

  /** Nothing where it has not come yet. */
  static @Nullable String time(long atMs) {
    return atMs == 0 ? null : Instant.ofEpochMilli(atMs).toString();
  }

  /** The end of all that it wrote, whatever was read of it before. */
  String snippet(TaskId taskId) {
    return tails.of(taskId, Tails.SNIPPET_CHARS);
  }

  static ObjectNode add(ObjectNode node, long since, RunItems.Page page) {
    node.put(ShellTool.SINCE_SEQ, since).put("next_seq", page.nextSeq());
    return node;
  }

  static void addItems(ObjectNode node, List<RunItem> list) {
    var array = node.putArray("items");
    list.forEach(it -> array.add(it.json()));
  }

  /** In a line: how it stands. */
  static String line(ObjectNode head) {
    var text = new StringBuilder("run ").append(head.path(ShellTool.RUN_ID).stringValue(""));
    text.append(' ').append(head.path("status").stringValue(""));
    if (head.hasNonNull("exit_code")) {
      text.append(", exit code ").append(head.path("exit_code").longValue());
    }
    if (head.hasNonNull("error_message")) {
      text.append(", ").append(head.path("error_message").stringValue(""));
    }
    var left = left(head);
    return left.isEmpty() ? text.toString() : text.append("; ").append(left).toString();
  }
}
