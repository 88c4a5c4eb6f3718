package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.FrameType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/**
 * All that is known of a task that is over. Reading it holds it to the laws of every task: a dense
 * seq, one terminal frame and that the last, output frames that tile the logs.
 */
record Recording(TaskStatus status, List<EventFrame> frames, Log stdout, Log stderr, Log pty) {
  private static final int READ_BYTES = 1024 * 1024;

  /** The bytes of one stream, from the first to the last. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record Log(byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    List<String> lines() {
      return text().lines().toList();
    }
  }

  /** Waits for the task's end first. For tasks of which no output was dropped. */
  static Recording of(ErrandClient client, TaskId taskId) {
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.isEnded()).as("task is over: %s", status.text()).isTrue();
    var frames = frames(client, taskId);
    var recording =
        new Recording(
            status,
            frames,
            log(client, status, LogStream.STDOUT),
            log(client, status, LogStream.STDERR),
            log(client, status, LogStream.PTY));
    recording.checkOrder();
    recording.checkTiles(LogStream.STDOUT, recording.stdout);
    recording.checkTiles(LogStream.STDERR, recording.stderr);
    recording.checkTiles(LogStream.PTY, recording.pty);
    return recording;
  }

  static List<EventFrame> frames(ErrandClient client, TaskId taskId) {
    var frames = new ArrayList<EventFrame>();
    try (var history = client.history(taskId, -1)) {
      for (var frame = history.next(); frame != null; frame = history.next()) {
        frames.add(frame);
      }
    }
    return frames;
  }

  /** Nothing for a stream that the task does not have. */
  private static Log log(ErrandClient client, TaskStatus status, LogStream stream) {
    var bytes = new ByteArrayOutputStream();
    if (!status.fields().object("artifacts").object("logs").has(stream.word())) {
      return new Log(new byte[0]);
    }
    while (true) {
      var part = client.output(status.taskId(), stream, bytes.size(), READ_BYTES);
      assertThat(part.offset()).isEqualTo(bytes.size());
      if (part.bytes().length == 0) {
        assertThat(part.total()).isEqualTo(bytes.size());
        return new Log(bytes.toByteArray());
      }
      bytes.writeBytes(part.bytes());
    }
  }

  Log log(LogStream stream) {
    return switch (stream) {
      case STDOUT -> stdout;
      case STDERR -> stderr;
      case PTY -> pty;
    };
  }

  /** Their types, in order. */
  List<String> types() {
    return frames.stream().map(EventFrame::type).toList();
  }

  List<EventFrame> ofType(String type) {
    return frames.stream().filter(it -> it.type().equals(type)).toList();
  }

  EventFrame terminal() {
    return frames.getLast();
  }

  private void checkOrder() {
    assertThat(frames)
        .extracting(EventFrame::seq)
        .containsExactlyElementsOf(countTo(frames.size()));
    assertThat(frames).extracting(EventFrame::isTerminal).containsOnlyOnce(true).endsWith(true);
    assertThat(status.lastSeq()).isEqualTo(terminal().seq());
  }

  private static List<Long> countTo(int end) {
    return LongStream.range(0, end).boxed().toList();
  }

  private void checkTiles(LogStream stream, Log log) {
    var at = 0L;
    for (var frame : ofType(FrameType.OUTPUT_DELTA)) {
      if (!frame.fields().text("stream").equals(stream.word())) {
        continue;
      }
      var range = frame.fields().object("artifacts").object("log");
      assertThat(range.number("offset_bytes")).as("offset of %s", frame.text()).isEqualTo(at);
      var bytes = Math.toIntExact(range.number("bytes"));
      assertThat(bytes).isPositive();
      checkSum(frame, log, Math.toIntExact(at), bytes);
      at += bytes;
    }
    assertThat(at).as("bytes of %s in frames", stream).isEqualTo(log.bytes().length);
  }

  /** Output that was indexed after the death of its host has no sum, since nobody made one. */
  private static void checkSum(EventFrame frame, Log log, int at, int bytes) {
    var stated = frame.fields().numberOrNull("crc32c");
    if (stated != null) {
      var sum = new CRC32C();
      sum.update(log.bytes(), at, bytes);
      assertThat(stated).as("CRC-32C of %s", frame.text()).isEqualTo(sum.getValue());
    }
  }
}
