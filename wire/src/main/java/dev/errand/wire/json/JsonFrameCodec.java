package dev.errand.wire.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.frame.Frame;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import java.util.UUID;
import java.util.function.Consumer;

/** Frames as JSON objects: first the envelope, the same for all, then the fields of their type. */
public final class JsonFrameCodec implements FrameCodec {

  /**
   * {@code id} and {@code session_id} come first in every frame, and neither is longer than this.
   */
  private static final int HEAD_BYTES = 200;

  @Override
  public EncodedFrame encode(Frame.OfTask frame, TaskState.Present after) {
    var stream = StreamKey.of(frame.taskId());
    return encode(
        frame.head(),
        stream,
        out -> TaskEventWriter.write(out, frame.taskId(), frame.event(), after));
  }

  @Override
  public EncodedFrame encode(Frame.OfSession frame) {
    var stream = StreamKey.of(frame.head().sessionId());
    return encode(frame.head(), stream, out -> write(out, frame.event()));
  }

  /**
   * Replaces a frame that cannot be read. Its time is unknown, so it is 0; its id is always the
   * same.
   */
  public static EncodedFrame damaged(StreamKey stream, SessionId sessionId, long seq) {
    var name = "damaged " + stream.kind().word() + ' ' + stream.id() + ' ' + seq;
    var id = UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
    var frame =
        encode(
            new Frame.Head(id, sessionId, seq, 0),
            stream,
            out -> {
              out.text("type", FrameType.RECORD_DAMAGED);
              if (stream.kind() == StreamKey.Kind.TASK) {
                out.text("task_id", stream.id());
              }
            });
    return new EncodedFrame(seq, frame.bytes(), true);
  }

  /**
   * Whether the frame is of that session. It compares the first bytes: to parse each frame for each
   * reader of all frames would cost too much.
   */
  public static boolean isOf(SessionId session, EncodedFrame frame) {
    var bytes = frame.bytes();
    var head = new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), ISO_8859_1);
    var at = head.indexOf("\"session_id\":\"");
    // A session id needs no escapes, so its text is its JSON.
    return at >= 0 && head.startsWith("\"session_id\":\"" + session.value() + "\"", at);
  }

  private static EncodedFrame encode(
      Frame.Head head, StreamKey stream, Consumer<JsonWriter> event) {
    var bytes =
        JsonWriter.object(out -> {
          out.text("id", head.id());
          out.text("session_id", head.sessionId().value());
          out.text("stream_kind", stream.kind().word());
          out.text("stream_id", stream.id());
          out.number("seq", head.seq());
          out.number("timestamp_ms", head.timestampMs());
          event.accept(out);
        });
    return new EncodedFrame(head.seq(), bytes);
  }

  private static void rejected(JsonWriter out, SessionEvent.TaskRejected it) {
    out.text("type", FrameType.REJECTED)
        .text("tool_name", it.toolName())
        .text("args_digest", it.argsDigest())
        .text("code", it.code().name())
        .text("rule", it.rule())
        .text("justification", it.justification())
        .text("by", it.by());
    if (it.detail() != null) {
      out.text("detail", it.detail());
    }
    if (it.unrecorded() > 0) {
      out.number("unrecorded", it.unrecorded());
    }
  }

  private static void write(JsonWriter out, SessionEvent event) {
    switch (event) {
      case SessionEvent.ResultRead it ->
          out.text("type", FrameType.TASK_RESULT_READ)
              .text("task_id", it.taskId().value())
              .text("by", it.by());
      case SessionEvent.TaskRejected it -> rejected(out, it);
      case SessionEvent.TaskRemoved it ->
          out.text("type", FrameType.TASK_REMOVED)
              .text("task_id", it.taskId().value())
              .text("reason", it.reason())
              .text("by", it.by());
      case SessionEvent.SessionEnded(var by) ->
          out.text("type", FrameType.SESSION_ENDED).text("by", by);
      case SessionEvent.SessionOpened(var by) ->
          out.text("type", FrameType.SESSION_OPENED).text("by", by);
      case SessionEvent.FolderSet it ->
          out.text("type", FrameType.SESSION_FOLDER_SET)
              .text("folder", it.folder())
              .text("by", it.by());
      case SessionEvent.NoticesAcknowledged it ->
          out.text("type", FrameType.NOTICE_ACKNOWLEDGED)
              .texts("ids", it.ids())
              .text("by", it.by());
      case SessionEvent.WebhookSet it -> {
        out.text("type", FrameType.WEBHOOK_SET).text("url", it.url()).bool("ack", it.ack());
        out.text("by", it.by());
        if (!it.events().isEmpty()) {
          out.texts("events", it.events());
        }
      }
      case SessionEvent.WebhookRemoved it -> {
        out.text("type", FrameType.WEBHOOK_REMOVED);
        if (it.reason() != null) {
          out.text("reason", it.reason());
        }
        out.text("by", it.by());
      }
    }
  }

  /** The seq of the last frame that a stored status knows of; -1 where it knows of none. */
  public static long lastSeq(byte[] status) {
    return StatusReader.lastSeq(JsonFields.of(status));
  }

  @Override
  public Frame.OfTask decodeTask(EncodedFrame frame) {
    var in = JsonFields.of(frame.bytes());
    var sessionId = new SessionId(in.text("session_id"));
    var head = new Frame.Head(in.text("id"), sessionId, frame.seq(), in.number("timestamp_ms"));
    var taskId = new TaskId(in.text("stream_id"));
    return new Frame.OfTask(head, taskId, TaskEventReader.read(in, sessionId));
  }

  @Override
  public byte[] status(TaskView view) {
    return StatusWriter.bytes(view);
  }

  @Override
  public TaskView readStatus(byte[] status) {
    return StatusReader.read(JsonFields.of(status));
  }
}
