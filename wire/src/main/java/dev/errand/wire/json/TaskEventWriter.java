package dev.errand.wire.json;

import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import org.jspecify.annotations.Nullable;

/** The type and the fields of each event of a task. */
final class TaskEventWriter {

  private TaskEventWriter() {}

  static void write(JsonWriter out, TaskId taskId, TaskEvent event, TaskState.Present after) {
    out.text("type", type(event)).text("task_id", taskId.value());
    switch (event) {
      case TaskEvent.Spawned it -> SpecJson.write(out, taskId, it.spec());
      case TaskEvent.Approved it -> out.text("by", it.by());
      case TaskEvent.Denied it -> out.text("reason", it.reason()).text("by", it.by());
      case TaskEvent.Attempted it ->
          out.number("attempt", it.attempt()).text("host_id", it.hostId());
      case TaskEvent.Started it -> started(out, taskId, it, after);
      case TaskEvent.Output it -> output(out, taskId, it);
      case TaskEvent.OutputMerged it ->
          out.number("frames", it.frames()).number("record", it.record());
      case TaskEvent.OutputGap it ->
          range(out, it.stream(), it.from(), it.to()).number("record", it.record());
      case TaskEvent.OutputLost it -> range(out, it.stream(), it.from(), it.to());
      case TaskEvent.StdinWritten it -> stdin(out, it);
      case TaskEvent.Signalled it -> signalled(out, it);
      case TaskEvent.Resized it -> resized(out, it);
      case TaskEvent.KillStepped it -> killStepped(out, it);
      case TaskEvent.LimitPassed it ->
          out.text("limit", it.limit()).number("value", it.value()).number("record", it.record());
      case TaskEvent.CancelRequested it -> out.text("reason", it.reason()).text("by", it.by());
      case TaskEvent.Requeued it -> requeued(out, it);
      case TaskEvent.ArtifactWritten it -> artifact(out, taskId, it.log());
      case TaskEvent.Cancelled it -> cancelled(out, it);
      case TaskEvent.Ended it -> EndJson.write(out, taskId, it.end(), after.facts());
      case TaskEvent.WatcherHit it -> WatchSpecJson.hit(out, it);
      case TaskEvent.WatcherSilenced it -> WatchSpecJson.silenced(out, it);
      case TaskEvent.BecameReady it ->
          out.text("snippet", it.snippet()).number("ready_at_ms", it.readyAtMs());
      case TaskEvent.PromptSeen it ->
          out.text("snippet", it.snippet())
              .text("confidence", it.confidence())
              .number("seen_at_ms", it.seenAtMs());
      case TaskEvent.Unknown it -> throw neverMade(it);
    }
  }

  private static String type(TaskEvent event) {
    return switch (event) {
      case TaskEvent.Spawned _ -> FrameType.SPAWNED;
      case TaskEvent.Approved _ -> FrameType.APPROVED;
      case TaskEvent.Denied _ -> FrameType.DENIED;
      case TaskEvent.Attempted _ -> FrameType.ATTEMPT;
      case TaskEvent.Started _, TaskEvent.Ended _ -> FrameType.STATUS;
      case TaskEvent.Output _ -> FrameType.OUTPUT_DELTA;
      case TaskEvent.OutputMerged _ -> FrameType.OUTPUT_MERGED;
      case TaskEvent.OutputGap _ -> FrameType.OUTPUT_GAP;
      case TaskEvent.OutputLost _ -> FrameType.OUTPUT_LOST;
      case TaskEvent.StdinWritten _ -> FrameType.STDIN_WRITTEN;
      case TaskEvent.Signalled _ -> FrameType.SIGNALLED;
      case TaskEvent.Resized _ -> FrameType.RESIZED;
      case TaskEvent.KillStepped _ -> FrameType.KILL_STEP;
      case TaskEvent.LimitPassed _ -> FrameType.LIMIT_PASSED;
      case TaskEvent.CancelRequested _ -> FrameType.CANCEL_REQUESTED;
      case TaskEvent.Requeued _ -> FrameType.REQUEUED;
      case TaskEvent.ArtifactWritten _ -> FrameType.ARTIFACT_WRITTEN;
      case TaskEvent.Cancelled _ -> FrameType.CANCELLED;
      case TaskEvent.WatcherHit _ -> FrameType.WATCHER_HIT;
      case TaskEvent.WatcherSilenced _ -> FrameType.WATCHER_SILENCED;
      case TaskEvent.BecameReady _ -> FrameType.READY;
      case TaskEvent.PromptSeen _ -> FrameType.PROMPT;
      case TaskEvent.Unknown it -> throw neverMade(it);
    };
  }

  private static IllegalStateException neverMade(TaskEvent.Unknown event) {
    return new IllegalStateException("only a newer program writes frames of " + event.type());
  }

  private static void started(
      JsonWriter out, TaskId taskId, TaskEvent.Started event, TaskState.Present after) {
    out.text("status", StatusWriter.running());
    out.nothing("exit_code");
    out.number("started_at_ms", event.startedAtMs());
    out.nothing("ended_at_ms");
    LogsJson.write(out, taskId, after.facts().logs());
    out.nothing("error");
    out.number("attempt", event.attempt());
    out.number("pid", event.process().pid());
    out.number("start_ticks", event.process().startTicks());
    out.text("boot_id", event.process().bootId());
    out.number("tag", event.process().tag());
    out.number("record", event.record());
  }

  private static void output(JsonWriter out, TaskId taskId, TaskEvent.Output event) {
    out.text("stream", event.stream().word());
    out.text("chunk", event.preview().chunk());
    out.number("chunk_bytes", event.preview().bytes());
    out.bool("chunk_cut", event.preview().cut());
    out.numberOrNull("crc32c", unsigned(event.crc32c()));
    out.number("record", event.record());
    var total = event.offset() + event.bytes();
    out.object(
        "artifacts",
        artifacts ->
            artifacts.object(
                "log",
                log ->
                    log.text("id", event.stream().logId(taskId))
                        .nothing("path")
                        .number("offset_bytes", event.offset())
                        .number("bytes", event.bytes())
                        .number("bytes_total", total)
                        .number("bytes_stored", event.bytesStored())
                        .bool("truncated", event.bytesStored() < total)));
    if (event.writtenAtMs() > 0) {
      out.number("written_at_ms", event.writtenAtMs());
    }
    if (event.merged()) {
      out.bool("merged", true);
    }
  }

  private static @Nullable Long unsigned(@Nullable Integer crc32c) {
    return crc32c == null ? null : Integer.toUnsignedLong(crc32c);
  }

  private static JsonWriter range(JsonWriter out, LogStream stream, long from, long to) {
    return out.text("stream", stream.word()).number("from", from).number("to", to);
  }

  private static void stdin(JsonWriter out, TaskEvent.StdinWritten event) {
    out.text("op_id", event.write().opId());
    out.number("bytes", event.write().bytes());
    out.bool("eof", event.write().eof());
    out.bool("full", event.write().full());
    out.text("chunk_b64", event.write().base64());
    if (event.write().by() != null) {
      out.text("by", event.write().by());
    }
    out.number("record", event.record());
  }

  private static void signalled(JsonWriter out, TaskEvent.Signalled event) {
    out.text("op_id", event.opId());
    out.text("signal", event.signal());
    out.text("by", event.by());
    out.number("record", event.record());
    if (!event.outside().isEmpty()) {
      out.numbers("outside", event.outside());
    }
  }

  private static void resized(JsonWriter out, TaskEvent.Resized event) {
    SpecJson.size(out, event.size());
    out.text("by", event.by());
    out.text("op_id", event.opId());
    out.number("record", event.record());
  }

  private static void killStepped(JsonWriter out, TaskEvent.KillStepped event) {
    out.text("step", event.step());
    out.text("cause", event.cause());
    out.numbers("pids", event.pids());
    out.number("record", event.record());
  }

  private static void requeued(JsonWriter out, TaskEvent.Requeued event) {
    out.number("attempt", event.attempt());
    out.text("reason", event.reason());
    out.numbers("killed", event.killed());
  }

  private static void artifact(JsonWriter out, TaskId taskId, LogEnd log) {
    out.text("stream", log.stream().word());
    out.text("log_id", log.stream().logId(taskId));
    out.text("artifact_id", log.sha256());
    out.number("bytes", log.bytesStored());
    out.number("bytes_total", log.bytesTotal());
    out.number("lines", log.lines());
    out.array(
        "extents",
        extents ->
            log.extents().forEach(it -> extents.items(pair -> pair.item(it.from()).item(it.to()))));
  }

  private static void cancelled(JsonWriter out, TaskEvent.Cancelled event) {
    out.text("reason", event.reason());
    out.text("by", event.by());
    out.number("wall_time_ms", event.wallTimeMs());
  }
}
