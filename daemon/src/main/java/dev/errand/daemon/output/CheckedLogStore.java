package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Logs whose bytes are compared with their record before anybody gets them: each frame of output
 * has the checksum of its range. What does not fit is read from the artifact where that has it, and
 * is an error with the range where it has not. A merged frame has no checksum, so its range is
 * checked by size alone; what was written after the last frame is not checked yet.
 */
public final class CheckedLogStore implements LogStore {
  private static final byte[] NONE = {};

  private final LogStore files;
  private final ArtifactStore artifacts;
  private final Journal journal;
  private final OutputFrames frames;

  public CheckedLogStore(
      LogStore files, ArtifactStore artifacts, Journal journal, FrameCodec codec) {
    this.files = files;
    this.artifacts = artifacts;
    this.journal = journal;
    this.frames = new OutputFrames(journal, codec);
  }

  /** A recorded range: from the offset of its first byte to that after its last. */
  private record Block(long from, long to) {
    static Block of(TaskEvent.Output output) {
      return new Block(output.offset(), output.offset() + output.bytes());
    }
  }

  /**
   * Gives what it has of a range, from its first byte on: no bytes where they are missing, and
   * nothing at all where the cap took them.
   */
  private interface Source {
    Optional<byte[]> read(long from, int max);
  }

  @Override
  public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
    if (max == 0) {
      return NONE;
    }
    byte[] bytes;
    try {
      bytes = files.read(taskId, stream, offset, max);
    } catch (ErrandException e) {
      // A file that is missing looks like one that the cap took.
      return fromArtifact(taskId, stream, offset, max)
          .orElseThrow(() -> reason(e, taskId, stream, offset));
    }
    var damaged =
        firstDamaged(taskId, stream, offset, bytes, (from, n) -> piece(taskId, stream, from, n));
    if (damaged.isEmpty()) {
      return bytes;
    }
    var block = damaged.get();
    if (block.from() > offset) {
      // The bytes before it are right; the next read reports the rest.
      return Arrays.copyOf(bytes, (int) (block.from() - offset));
    }
    return fromArtifact(taskId, stream, offset, max).orElseThrow(() -> damaged(stream, block));
  }

  /** The first recorded range that these bytes, with what lies around them, do not fit. */
  private Optional<Block> firstDamaged(
      TaskId taskId, LogStream stream, long offset, byte[] bytes, Source source) {
    var recorded = frames.covering(taskId, stream, offset, offset + Math.max(1, bytes.length));
    return recorded.stream()
        .filter(it -> bytes.length == 0 || !fits(it, offset, bytes, source))
        .findFirst()
        .map(Block::of);
  }

  private static boolean fits(TaskEvent.Output output, long offset, byte[] bytes, Source source) {
    var expected = output.crc32c();
    if (expected == null) {
      return true;
    }
    var crc = new CRC32C();
    var block = Block.of(output);
    for (var at = block.from(); at < block.to(); ) {
      var piece = pieceOf(block, at, offset, bytes, source);
      if (piece.isEmpty()) {
        // The cap took a part of the range since, so there is nothing left to compare.
        return true;
      }
      if (piece.get().length == 0) {
        return false;
      }
      crc.update(piece.get());
      at += piece.get().length;
    }
    return expected == (int) crc.getValue();
  }

  /** From the bytes at hand where they have this offset, else from the source. */
  private static Optional<byte[]> pieceOf(
      Block block, long at, long offset, byte[] bytes, Source source) {
    if (at < offset) {
      return source.read(at, (int) (Math.min(block.to(), offset) - at));
    }
    var start = at - offset;
    if (start >= bytes.length) {
      return source.read(at, (int) (block.to() - at));
    }
    var end = Math.min(bytes.length, block.to() - offset);
    return Optional.of(Arrays.copyOfRange(bytes, (int) start, (int) end));
  }

  /** A range that an ended log has was not taken by the cap, so its file is missing. */
  private Optional<byte[]> piece(TaskId taskId, LogStream stream, long from, int max) {
    try {
      return Optional.of(files.read(taskId, stream, from, max));
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.OUTPUT_DROPPED) {
        throw e;
      }
      return storedAt(taskId, stream, from).map(_ -> NONE);
    }
  }

  /** The part of an ended log that has this byte. */
  private Optional<LogEnd.Extent> storedAt(TaskId taskId, LogStream stream, long offset) {
    return frames.end(taskId, stream).stream()
        .flatMap(it -> it.extents().stream())
        .filter(it -> offset >= it.from() && offset < it.to())
        .findFirst();
  }

  /** What the artifact has of the range, if it is there and fits the record. */
  private Optional<byte[]> fromArtifact(TaskId taskId, LogStream stream, long offset, int max) {
    var end = frames.end(taskId, stream).orElse(null);
    if (end == null || end.sha256() == null) {
      return Optional.empty();
    }
    Source source = (from, n) -> artifact(end, from, n);
    var bytes = source.read(offset, max).orElse(NONE);
    if (bytes.length == 0) {
      return Optional.empty();
    }
    var right =
        firstDamaged(taskId, stream, offset, bytes, source)
            .map(it -> Math.max(0, it.from() - offset))
            .orElse((long) bytes.length);
    return right == 0 ? Optional.empty() : Optional.of(Arrays.copyOf(bytes, right.intValue()));
  }

  /** An artifact has the stored parts of its log, one after the other. */
  private Optional<byte[]> artifact(LogEnd end, long from, int max) {
    var before = 0L;
    for (var extent : end.extents()) {
      if (from >= extent.from() && from < extent.to()) {
        var wanted = (int) Math.min(max, extent.to() - from);
        var sha256 = Objects.requireNonNull(end.sha256());
        return Optional.of(artifact(sha256, before + from - extent.from(), wanted));
      }
      before += extent.to() - extent.from();
    }
    return Optional.empty();
  }

  private byte[] artifact(String sha256, long offset, int max) {
    var found = artifacts.open(sha256);
    if (found.isEmpty()) {
      return NONE;
    }
    try (var file = found.get()) {
      var buffer = ByteBuffer.allocate(max);
      while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {
        // Until all of it is there.
      }
      return Arrays.copyOf(buffer.array(), buffer.position());
    } catch (IOException _) {
      return NONE;
    }
  }

  private ErrandException reason(
      ErrandException cause, TaskId taskId, LogStream stream, long offset) {
    return cause.code() != ErrorCode.OUTPUT_DROPPED
        ? cause
        : storedAt(taskId, stream, offset)
            .map(it -> damaged(stream, new Block(offset, missingTo(cause, it))))
            .orElse(cause);
  }

  private static long missingTo(ErrandException dropped, LogEnd.Extent extent) {
    var next = dropped.facts().get("next_offset");
    return next == null ? extent.to() : Math.min(next, extent.to());
  }

  private static ErrandException damaged(LogStream stream, Block block) {
    return new ErrandException(
        ErrorCode.OUTPUT_DAMAGED,
        ("the bytes of %s from %d to %d are missing on the disk, or are not those that were"
                + " recorded; read on at %d")
            .formatted(stream.word(), block.from(), block.to(), block.to()),
        Map.of("from", block.from(), "to", block.to(), "next_offset", block.to()));
  }

  @Override
  public Optional<byte[]> readArtifact(String sha256, long offset, int max) {
    for (var link : journal.artifactLinks(sha256)) {
      var taskId = link.taskId();
      var end = endOf(link);
      if (taskId != null && end.isPresent()) {
        return Optional.of(readStored(taskId, end.get(), offset, max));
      }
    }
    return Optional.empty();
  }

  @Override
  public long artifactBytes(String sha256) {
    return journal.artifactLinks(sha256).stream().mapToLong(ArtifactLink::bytes).max().orElse(0);
  }

  private Optional<LogEnd> endOf(ArtifactLink link) {
    var taskId = link.taskId();
    return taskId == null
        ? Optional.empty()
        : frames.ends(taskId).stream().filter(it -> link.sha256().equals(it.sha256())).findFirst();
  }

  private byte[] readStored(TaskId taskId, LogEnd end, long offset, int max) {
    var before = 0L;
    for (var extent : end.extents()) {
      var bytes = extent.to() - extent.from();
      if (offset < before + bytes) {
        var from = extent.from() + offset - before;
        return read(taskId, end.stream(), from, (int) Math.min(max, extent.to() - from));
      }
      before += bytes;
    }
    return NONE;
  }

  /** An ended log has the bytes that were recorded, also where its file has fewer. */
  @Override
  public long total(TaskId taskId, LogStream stream) {
    var recorded = frames.end(taskId, stream).map(LogEnd::bytesTotal).orElse(0L);
    return Math.max(recorded, files.total(taskId, stream));
  }

  @Override
  public List<LogEnd.Extent> stored(TaskId taskId, LogStream stream) {
    return files.stored(taskId, stream);
  }

  @Override
  public List<TaskId> olderThan(long beforeMs) {
    return files.olderThan(beforeMs);
  }

  @Override
  public void delete(TaskId taskId) {
    files.delete(taskId);
  }
}
