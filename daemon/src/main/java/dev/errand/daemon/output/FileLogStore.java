package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogRead;
import dev.errand.host.log.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The logs that hosts write under the home folder. */
public final class FileLogStore implements LogStore {
  private final LogReader reader;
  private final LogFolders folders;

  public FileLogStore(LogReader reader, LogFolders folders) {
    this.reader = reader;
    this.folders = folders;
  }

  @Override
  public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
    var buffer = ByteBuffer.allocate(max);
    try {
      var at = offset;
      while (buffer.hasRemaining()) {
        var read = reader.read(taskId, stream, at, buffer);
        if (read instanceof LogRead.Dropped(var next) && buffer.position() == 0) {
          throw dropped(offset, next);
        }
        if (!(read instanceof LogRead.Bytes(var count))) {
          break;
        }
        at += count;
      }
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot read the log: " + e.getMessage(), e);
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static ErrandException dropped(long offset, long next) {
    return new ErrandException(
        ErrorCode.OUTPUT_DROPPED,
        "the bytes at offset " + offset + " were dropped by the output cap; read on at " + next,
        Map.of("next_offset", next));
  }

  @Override
  public long total(TaskId taskId, LogStream stream) {
    try {
      var extents = reader.extents(taskId, stream);
      return extents.isEmpty() ? 0 : extents.getLast().to();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot read the log: " + e.getMessage(), e);
    }
  }

  @Override
  public List<LogEnd.Extent> stored(TaskId taskId, LogStream stream) {
    try {
      return reader.extents(taskId, stream).stream()
          .map(it -> new LogEnd.Extent(it.from(), it.to()))
          .toList();
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot read the log: " + e.getMessage(), e);
    }
  }

  @Override
  public List<TaskId> olderThan(long beforeMs) {
    try {
      return folders.quietSince(beforeMs);
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot list the logs: " + e.getMessage(), e);
    }
  }

  @Override
  public void delete(TaskId taskId) {
    try {
      reader.delete(taskId);
    } catch (IOException e) {
      throw new ErrandException(
          ErrorCode.INTERNAL_ERROR, "cannot delete the logs: " + e.getMessage(), e);
    }
  }
}
