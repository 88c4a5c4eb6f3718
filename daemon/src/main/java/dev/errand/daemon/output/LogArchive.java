package dev.errand.daemon.output;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.artifact.DiskFailures;
import dev.errand.host.log.LogRead;
import dev.errand.host.log.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Makes artifacts of logs, and describes a log where no host could do so. */
public final class LogArchive {
  private static final int READ_BYTES = 256 * 1024;

  private final LogReader reader;
  private final ArtifactStore artifacts;

  public LogArchive(LogReader reader, ArtifactStore artifacts) {
    this.reader = reader;
    this.artifacts = artifacts;
  }

  /** The first bytes of a range, fewer or none where they are gone. */
  public byte[] startOf(TaskId taskId, LogStream stream, long offset, int bytes) {
    var buffer = ByteBuffer.allocate(bytes);
    try {
      var at = offset;
      while (buffer.hasRemaining()
          && reader.read(taskId, stream, at, buffer) instanceof LogRead.Bytes(var count)) {
        at += count;
      }
    } catch (IOException e) {
      throw unreadable(taskId, stream, e);
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** Whether the cap took this byte: it is not stored, and later ones are. */
  public boolean isDropped(TaskId taskId, LogStream stream, long offset) {
    try {
      return reader.read(taskId, stream, offset, ByteBuffer.allocate(1)) instanceof LogRead.Dropped;
    } catch (IOException e) {
      throw unreadable(taskId, stream, e);
    }
  }

  /** Where the log's files end now; bytes after the last record of a dead host count too. */
  public long end(TaskId taskId, LogStream stream) {
    try {
      var extents = reader.extents(taskId, stream);
      return extents.isEmpty() ? 0 : extents.getLast().to();
    } catch (IOException e) {
      throw unreadable(taskId, stream, e);
    }
  }

  /** Reads the whole log, makes an artifact of it and describes it. */
  public LogEnd end(TaskId taskId, LogStream stream, long bytesTotal) {
    try {
      var extents = new ArrayList<LogEnd.Extent>();
      var digest = MessageDigest.getInstance("SHA-256");
      var lines = 0L;
      var stored = 0L;
      for (var extent : reader.extents(taskId, stream)) {
        extents.add(new LogEnd.Extent(extent.from(), extent.to()));
        stored += extent.to() - extent.from();
        lines += digest(taskId, stream, extent.from(), extent.to(), digest);
      }
      var sha256 = stored == 0 ? null : HexFormat.of().formatHex(digest.digest());
      var end = new LogEnd(stream, bytesTotal, stored, lines, sha256, List.copyOf(extents));
      keep(taskId, end);
      return end;
    } catch (IOException e) {
      throw unreadable(taskId, stream, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private long digest(TaskId taskId, LogStream stream, long from, long to, MessageDigest digest)
      throws IOException {
    var buffer = ByteBuffer.allocate(READ_BYTES);
    var lines = 0L;
    var at = from;
    while (at < to) {
      buffer.clear().limit((int) Math.min(READ_BYTES, to - at));
      if (!(reader.read(taskId, stream, at, buffer) instanceof LogRead.Bytes(var count))) {
        throw new IOException("the log has " + at + " bytes, " + to + " were recorded");
      }
      for (var i = 0; i < count; i++) {
        lines += buffer.get(i) == '\n' ? 1 : 0;
      }
      digest.update(buffer.array(), 0, count);
      at += count;
    }
    return lines;
  }

  /** Makes the log's bytes readable under its digest; must be done before a frame names it. */
  public void keep(TaskId taskId, LogEnd end) {
    var sha256 = end.sha256();
    if (sha256 == null || tryLink(taskId, end)) {
      return;
    }
    try {
      artifacts.assemble(reader.files(taskId, end.stream()), sha256);
    } catch (IOException e) {
      throw unreadable(taskId, end.stream(), e);
    }
  }

  /** Does the same by a hard link where the log is one file; false where it is not. */
  public boolean tryLink(TaskId taskId, LogEnd end) {
    var sha256 = end.sha256();
    if (sha256 == null) {
      return true;
    }
    try {
      var single = reader.singleFile(taskId, end.stream());
      single.ifPresent(it -> artifacts.link(it, sha256));
      return single.isPresent();
    } catch (IOException e) {
      throw unreadable(taskId, end.stream(), e);
    }
  }

  private static ErrandException unreadable(TaskId taskId, LogStream stream, IOException cause) {
    return DiskFailures.of("cannot read the log " + stream.logId(taskId), cause);
  }
}
