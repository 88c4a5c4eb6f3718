package dev.errand.wire.json;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads the event of a task back from the fields of its frame. */
final class TaskEventReader {

  private TaskEventReader() {}

  static TaskEvent read(JsonFields in, SessionId sessionId) {
    var type = in.text("type");
    // The type comes from a text, so there is no end to what it may be.
    return switch (type) {
      case FrameType.SPAWNED -> new TaskEvent.Spawned(SpecJson.read(in, sessionId));
      case FrameType.APPROVED -> new TaskEvent.Approved(in.text("by", ""));
      case FrameType.DENIED -> new TaskEvent.Denied(in.text("reason", ""), in.text("by", ""));
      case FrameType.ATTEMPT -> new TaskEvent.Attempted(integer(in, "attempt"), in.text("host_id"));
      case FrameType.STATUS -> status(in, type);
      case FrameType.OUTPUT_DELTA -> output(in);
      case FrameType.OUTPUT_MERGED -> new TaskEvent.OutputMerged(record(in), in.number("frames"));
      case FrameType.OUTPUT_GAP ->
          new TaskEvent.OutputGap(record(in), stream(in), in.number("from"), in.number("to"));
      case FrameType.OUTPUT_LOST ->
          new TaskEvent.OutputLost(stream(in), in.number("from"), in.number("to"));
      case FrameType.STDIN_WRITTEN -> new TaskEvent.StdinWritten(record(in), stdinWrite(in));
      case FrameType.SIGNALLED ->
          new TaskEvent.Signalled(
              record(in),
              in.text("op_id"),
              in.text("signal"),
              in.text("by", ""),
              in.numbers("outside"));
      case FrameType.RESIZED ->
          new TaskEvent.Resized(
              record(in), in.text("op_id", ""), SpecJson.size(in), in.text("by", ""));
      case FrameType.KILL_STEP ->
          new TaskEvent.KillStepped(
              record(in), in.text("step"), in.text("cause"), in.numbers("pids"));
      case FrameType.LIMIT_PASSED ->
          new TaskEvent.LimitPassed(record(in), in.text("limit"), in.number("value"));
      case FrameType.CANCEL_REQUESTED ->
          new TaskEvent.CancelRequested(in.text("reason"), in.text("by", ""));
      case FrameType.REQUEUED ->
          new TaskEvent.Requeued(integer(in, "attempt"), in.text("reason"), in.numbers("killed"));
      case FrameType.ARTIFACT_WRITTEN -> new TaskEvent.ArtifactWritten(logEnd(in));
      case FrameType.CANCELLED ->
          new TaskEvent.Cancelled(
              in.text("reason"), in.text("by", ""), in.number("wall_time_ms", 0));
      case FrameType.WATCHER_HIT -> WatchSpecJson.readHit(in);
      case FrameType.WATCHER_SILENCED -> WatchSpecJson.readSilenced(in);
      case FrameType.READY ->
          new TaskEvent.BecameReady(in.text("snippet", ""), in.number("ready_at_ms"));
      case FrameType.PROMPT ->
          new TaskEvent.PromptSeen(
              in.text("snippet", ""), in.text("confidence", ""), in.number("seen_at_ms"));
      default -> new TaskEvent.Unknown(type);
    };
  }

  private static TaskEvent status(JsonFields in, String type) {
    var status = in.text("status");
    if (status.equals(StatusWriter.running())) {
      return new TaskEvent.Started(
          record(in), integer(in, "attempt"), process(in), in.number("started_at_ms"));
    }
    var end = EndJson.read(in, status);
    return end == null ? new TaskEvent.Unknown(type) : new TaskEvent.Ended(end);
  }

  private static ProcessIdentity process(JsonFields in) {
    return new ProcessIdentity(
        in.number("pid"), in.number("start_ticks"), in.text("boot_id"), in.number("tag", 0));
  }

  private static TaskEvent output(JsonFields in) {
    var log = in.object("artifacts").object("log");
    var preview =
        new Preview(in.text("chunk", ""), Math.toIntExact(in.number("chunk_bytes", 0)), cut(in));
    var offset = log.number("offset_bytes");
    var bytes = log.number("bytes");
    var stored = log.number("bytes_stored", offset + bytes);
    return new TaskEvent.Output(
        record(in),
        stream(in),
        offset,
        bytes,
        stored,
        signed(in.numberOrNull("crc32c")),
        preview,
        in.number("written_at_ms", 0),
        in.bool("merged", false));
  }

  private static boolean cut(JsonFields in) {
    return in.bool("chunk_cut", true);
  }

  private static @Nullable Integer signed(@Nullable Long crc32c) {
    return crc32c == null ? null : (Integer) crc32c.intValue();
  }

  private static HostFact.StdinWrite stdinWrite(JsonFields in) {
    return new HostFact.StdinWrite(
        in.text("op_id"),
        integer(in, "bytes"),
        in.bool("eof", false),
        in.bool("full", false),
        in.textOrNull("chunk_b64"),
        in.textOrNull("by"));
  }

  private static LogEnd logEnd(JsonFields in) {
    var stored = in.number("bytes");
    var extents = new ArrayList<LogEnd.Extent>();
    for (var pair : in.node().path("extents")) {
      extents.add(new LogEnd.Extent(pair.path(0).longValue(), pair.path(1).longValue()));
    }
    return new LogEnd(
        stream(in),
        in.number("bytes_total", stored),
        stored,
        in.number("lines", 0),
        in.textOrNull("artifact_id"),
        extents);
  }

  private static LogStream stream(JsonFields in) {
    var word = in.text("stream");
    return LogStream.ofWord(word)
        .orElseThrow(
            () -> new ErrandException(ErrorCode.INTERNAL_ERROR, "no such stream: " + word));
  }

  private static long record(JsonFields in) {
    return in.number("record", 0);
  }

  private static int integer(JsonFields in, String name) {
    return Math.toIntExact(in.number(name));
  }
}
