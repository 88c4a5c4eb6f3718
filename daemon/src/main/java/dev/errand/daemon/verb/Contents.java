package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.artifact.DiskFailures;
import dev.errand.daemon.output.LogStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Opens the content of artifacts and of growing logs. */
record Contents(LogStore logs, ArtifactStore artifacts) {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** As much as a frame covers in a flood: each read compares whole frames with their checksums. */
  private static final int CHECKED_BYTES = 1 << 20;

  static Contents of(Verbs.Parts parts) {
    return new Contents(parts.output().logs(), parts.output().artifacts());
  }

  boolean has(String sha256) {
    try (var file = artifacts.open(sha256).orElse(null)) {
      return file != null;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** The length at which it was stored, even if its file was truncated since. */
  StoredContent artifact(String sha256) {
    try (var file = open(sha256)) {
      return new Artifact(sha256, Math.max(file.size(), logs.artifactBytes(sha256)));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  StoredContent growing(TaskLog log) {
    return new Growing(log);
  }

  private FileChannel open(String sha256) {
    return artifacts
        .open(sha256)
        .orElseThrow(
            () -> new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact"));
  }

  private static ErrandException failed(IOException cause) {
    return DiskFailures.of("cannot read the artifact", cause);
  }

  /** The output of a task is compared with the record; an upload has no record. */
  private final class Artifact implements StoredContent {
    private final String sha256;
    private final long length;

    private Artifact(String sha256, long length) {
      this.sha256 = sha256;
      this.length = length;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public String sha256() {
      return sha256;
    }

    @Override
    public byte[] read(long offset, int max) {
      var wanted = Math.clamp(length - offset, 0, max);
      if (wanted == 0) {
        return new byte[0];
      }
      var checked = logs.readArtifact(sha256, offset, wanted);
      if (checked.isPresent()) {
        return checked.get();
      }
      var buffer = ByteBuffer.allocate(wanted);
      try (var file = open(sha256)) {
        while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) >= 0) {
          // Until all of it is read.
        }
      } catch (IOException e) {
        throw failed(e);
      }
      return Arrays.copyOf(buffer.array(), buffer.position());
    }

    @Override
    public void copyTo(Sink sink, long offset, long wanted) throws IOException {
      var whole = offset == 0 && wanted == length;
      try (var file = open(sha256)) {
        copy(file, whole ? new CheckedSink(sink, sha256, length) : sink, offset, wanted);
      }
    }

    private void copy(FileChannel file, Sink sink, long offset, long wanted) throws IOException {
      var end = offset + wanted;
      for (var at = offset; at < end; ) {
        var bytes = logs.readArtifact(sha256, at, (int) Math.min(CHECKED_BYTES, end - at));
        if (bytes.isEmpty()) {
          copyUnchecked(file, sink, at, end);
          return;
        }
        if (bytes.get().length == 0) {
          throw cut(at);
        }
        sink.write(ByteBuffer.wrap(bytes.get()));
        at += bytes.get().length;
      }
    }

    private static void copyUnchecked(FileChannel file, Sink sink, long offset, long end)
        throws IOException {
      var buffer = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, Math.max(1, end - offset)));
      for (var at = offset; at < end; ) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
        if (file.read(buffer, at) < 0) {
          throw cut(at);
        }
        at += buffer.flip().remaining();
        sink.write(buffer);
      }
    }

    private static ErrandException cut(long offset) {
      return new ErrandException(
          ErrorCode.ARTIFACT_DAMAGED,
          "the bytes of this artifact from " + offset + " on are missing on disk");
    }
  }

  private final class Growing implements StoredContent {
    private final TaskLog log;

    private Growing(TaskLog log) {
      this.log = log;
    }

    @Override
    public long length() {
      return log.span().total();
    }

    @Override
    public @Nullable String sha256() {
      return null;
    }

    @Override
    public byte[] read(long offset, int max) {
      return log.read(logs, offset, Math.clamp(length() - offset, 0, max));
    }

    /**
     * If the cap drops a range meanwhile, the copy ends there and the caller learns it when it
     * resumes.
     */
    @Override
    public void copyTo(Sink sink, long offset, long wanted) throws IOException {
      var end = offset + wanted;
      for (var at = offset; at < end; ) {
        var bytes = log.read(logs, at, (int) Math.min(CHECKED_BYTES, end - at));
        if (bytes.length == 0) {
          throw new EOFException("the log is shorter than it was");
        }
        sink.write(ByteBuffer.wrap(bytes));
        at += bytes.length;
      }
    }
  }
}
