package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Optional;

/** Reads logs by range, while they grow and after. */
public interface LogStore {

  /**
   * Bytes of a log from {@code offset} on, at most {@code max} and possibly fewer; none at its end.
   * Fails with OUTPUT_DROPPED and the fact {@code next_offset} where the cap took that range, and
   * with OUTPUT_DAMAGED where the bytes there are missing or changed.
   */
  byte[] read(TaskId taskId, LogStream stream, long offset, int max);

  /**
   * Where a log continues after a range that the cap took, by the failure of a read in that range.
   * Any other failure is thrown again.
   */
  static long afterDropped(ErrandException failure) {
    var next = failure.facts().get("next_offset");
    if (failure.code() != ErrorCode.OUTPUT_DROPPED || next == null) {
      throw failure;
    }
    return next;
  }

  /**
   * The same by the artifact that a log became, whose offsets count stored bytes only. Empty where
   * no log is known that became it, as of an upload.
   */
  default Optional<byte[]> readArtifact(String sha256, long offset, int max) {
    return Optional.empty();
  }

  /** How many bytes an artifact had when it was kept; 0 where that is not known. */
  default long artifactBytes(String sha256) {
    return 0;
  }

  /** How many bytes the stream has had so far, dropped ones included. */
  long total(TaskId taskId, LogStream stream);

  /**
   * The ranges of a log that are stored now, in order; what lies between two was dropped. A store
   * that drops nothing has all of it.
   */
  default List<LogEnd.Extent> stored(TaskId taskId, LogStream stream) {
    return List.of(new LogEnd.Extent(0, total(taskId, stream)));
  }

  /** Tasks that have logs, none of which was written to since that time. */
  List<TaskId> olderThan(long beforeMs);

  /** Removes the logs of a task that is gone. */
  void delete(TaskId taskId);
}
