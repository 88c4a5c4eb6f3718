package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.DirectShare;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Logs in memory, of which a test can drop a range as the cap would. */
public final class MemoryLogs implements LogStore {
  private final ArtifactStore artifacts;
  private final Map<String, byte[]> logs = new HashMap<>();
  private final Map<String, LogEnd.Extent> gaps = new HashMap<>();

  public MemoryLogs(ArtifactStore artifacts) {
    this.artifacts = artifacts;
  }

  /** Returns the offset at which the bytes begin. */
  public synchronized long append(TaskId taskId, LogStream stream, byte[] bytes) {
    var old = log(taskId, stream);
    var grown = Arrays.copyOf(old, old.length + bytes.length);
    System.arraycopy(bytes, 0, grown, old.length, bytes.length);
    logs.put(key(taskId, stream), grown);
    return old.length;
  }

  public synchronized void drop(TaskId taskId, LogStream stream, long from, long to) {
    gaps.put(key(taskId, stream), new LogEnd.Extent(from, to));
  }

  public synchronized List<LogEnd> ends(TaskId taskId) {
    var ends = new ArrayList<LogEnd>();
    for (var stream : List.of(LogStream.STDOUT, LogStream.STDERR)) {
      var bytes = log(taskId, stream);
      if (bytes.length > 0) {
        var extent = new LogEnd.Extent(0, bytes.length);
        ends.add(new LogEnd(stream, bytes.length, bytes.length, 1, keep(bytes), List.of(extent)));
      }
    }
    return ends;
  }

  private String keep(byte[] bytes) {
    try {
      return artifacts
          .put(DirectShare.INSTANCE, new ByteArrayInputStream(bytes), bytes.length)
          .sha256();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
    var bytes = log(taskId, stream);
    var end = Math.min(bytes.length, offset + max);
    var gap = gaps.get(key(taskId, stream));
    if (gap != null && offset >= gap.from() && offset < gap.to()) {
      throw new ErrandException(
          ErrorCode.OUTPUT_DROPPED,
          "these bytes were dropped; read on at " + gap.to(),
          Map.of("next_offset", gap.to()));
    }
    if (gap != null && offset < gap.from()) {
      end = Math.min(end, gap.from());
    }
    return offset >= end ? new byte[0] : Arrays.copyOfRange(bytes, (int) offset, (int) end);
  }

  @Override
  public synchronized long total(TaskId taskId, LogStream stream) {
    return log(taskId, stream).length;
  }

  @Override
  public synchronized List<LogEnd.Extent> stored(TaskId taskId, LogStream stream) {
    var total = log(taskId, stream).length;
    var gap = gaps.get(key(taskId, stream));
    return gap == null
        ? List.of(new LogEnd.Extent(0, total))
        : List.of(new LogEnd.Extent(0, gap.from()), new LogEnd.Extent(gap.to(), total));
  }

  @Override
  public List<TaskId> olderThan(long beforeMs) {
    return List.of();
  }

  @Override
  public synchronized void delete(TaskId taskId) {
    logs.keySet().removeIf(it -> it.startsWith(taskId.value()));
  }

  private byte[] log(TaskId taskId, LogStream stream) {
    return logs.getOrDefault(key(taskId, stream), new byte[0]);
  }

  private static String key(TaskId taskId, LogStream stream) {
    return taskId.value() + "." + stream.word();
  }
}
