package dev.errand.daemon.screen;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.Frame;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.output.LogStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** One task's frames and log, held in memory. */
final class Recorded implements Recording, LogStore {
  static final TaskId ID = new TaskId("0198c000-0000-7000-8000-000000000001");

  private final List<Frame.OfTask> frames = new ArrayList<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private long droppedFrom;
  private long droppedTo;
  private long bytesRead;

  static Recorded terminal(int rows, int cols) {
    var recorded = new Recorded();
    recorded.add(
        new TaskEvent.Spawned(
            spec(
                new Command.Io(
                    Command.ExecutionMode.PTY,
                    true,
                    1 << 30,
                    Command.OnOutputLimit.TRUNCATE,
                    100_000,
                    new TerminalSize(rows, cols)))));
    return recorded;
  }

  static Recorded pipes() {
    var recorded = new Recorded();
    recorded.add(
        new TaskEvent.Spawned(
            spec(
                new Command.Io(
                    Command.ExecutionMode.PIPES,
                    true,
                    1 << 30,
                    Command.OnOutputLimit.TRUNCATE,
                    100_000))));
    return recorded;
  }

  /** Returns the frame's seq. */
  long add(TaskEvent event) {
    var seq = frames.size();
    var head = new Frame.Head("f" + seq, new SessionId("s"), seq, 1_000L + seq);
    frames.add(new Frame.OfTask(head, ID, event));
    return seq;
  }

  long output(String text) {
    return output(text.replace("\\e", "\u001b").getBytes(StandardCharsets.UTF_8));
  }

  long output(byte[] bytes) {
    var offset = log.size();
    log.writeBytes(bytes);
    return add(
        new TaskEvent.Output(
            frames.size(), LogStream.PTY, offset, bytes.length, bytes.length, null, Preview.NONE));
  }

  /** Bytes of which no frame tells yet. */
  HostFact.Output store(String text) {
    var offset = log.size();
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    log.writeBytes(bytes);
    return new HostFact.Output(
        1, frames.size(), LogStream.PTY, offset, bytes.length, null, Preview.NONE);
  }

  /** A frame of what is stored, up to that offset. */
  void tell(long end) {
    add(new TaskEvent.Output(frames.size(), LogStream.PTY, 5, end - 5, end, null, Preview.NONE));
  }

  long resize(int rows, int cols) {
    return add(new TaskEvent.Resized(frames.size(), "op", new TerminalSize(rows, cols), "me"));
  }

  /** The cap takes this range. */
  void drop(long from, long to) {
    droppedFrom = from;
    droppedTo = to;
  }

  long size() {
    return log.size();
  }

  /** How much of the log was read since this was last asked. */
  long bytesRead() {
    var read = bytesRead;
    bytesRead = 0;
    return read;
  }

  @Override
  public List<Frame.OfTask> frames(TaskId taskId, long afterSeq, int limit) {
    var from = (int) Math.min(frames.size(), afterSeq + 1);
    return frames.subList(from, Math.min(frames.size(), from + limit));
  }

  @Override
  public long lastSeq(TaskId taskId) {
    return frames.size() - 1L;
  }

  @Override
  public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
    if (offset >= droppedFrom && offset < droppedTo) {
      throw new ErrandException(
          ErrorCode.OUTPUT_DROPPED, "dropped", Map.of("next_offset", droppedTo));
    }
    var end = Math.min(log.size(), offset + max);
    if (offset < droppedFrom) {
      end = Math.min(end, droppedFrom);
    }
    var bytes = Arrays.copyOfRange(log.toByteArray(), (int) offset, (int) Math.max(offset, end));
    bytesRead += bytes.length;
    return bytes;
  }

  @Override
  public long total(TaskId taskId, LogStream stream) {
    return log.size();
  }

  @Override
  public List<TaskId> olderThan(long beforeMs) {
    return List.of();
  }

  @Override
  public void delete(TaskId taskId) {}

  private static TaskSpec spec(Command.Io io) {
    return new TaskSpec(
        new TaskSpec.Origin(new SessionId("s"), "tester", null, null, null),
        new Command(
            "bash",
            new Invocation.Shell("make"),
            "/",
            Environment.NONE,
            io,
            new Command.Limits(
                null, null, Duration.ofSeconds(5), Duration.ofSeconds(2), Command.Leftover.KILL),
            Command.OnRestart.LOST));
  }
}
