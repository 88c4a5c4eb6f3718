package dev.errand.daemon.artifact;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A running upload: a temporary file and the digest of its content so far. */
final class ArtifactUpload implements AutoCloseable {
  static final int BUFFER_BYTES = 256 << 10;

  private static final String PREFIX = "incoming-";

  /** Matches leftover files. */
  static final String GLOB = PREFIX + "*";

  private final Path file;
  private final FileChannel channel;
  private final MessageDigest digest;
  private long bytes;
  private @Nullable String sha256;

  private ArtifactUpload(Path file, FileChannel channel, MessageDigest digest) {
    this.file = file;
    this.channel = channel;
    this.digest = digest;
  }

  static ArtifactUpload create(Path root) {
    var file = root.resolve(PREFIX + UUID.randomUUID());
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), PrivateFolders.FILE_MODE);
      return new ArtifactUpload(file, channel, digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    } catch (IOException e) {
      throw DiskFailures.of("cannot create a file for an artifact", e);
    }
  }

  long bytes() {
    return bytes;
  }

  void write(byte[] buffer, int count) {
    digest.update(buffer, 0, count);
    bytes += count;
    try {
      var rest = ByteBuffer.wrap(buffer, 0, count);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (IOException e) {
      throw DiskFailures.of("cannot write an artifact", e);
    }
  }

  /** The digest of all bytes; nothing may be written afterwards. */
  String sha256() {
    if (sha256 == null) {
      sha256 = HexFormat.of().formatHex(digest.digest());
    }
    return sha256;
  }

  void sync() throws IOException {
    channel.force(true);
  }

  /** Renames the file atomically. */
  void moveTo(Path target) throws IOException {
    Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes the file if it was not renamed. */
  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw DiskFailures.of("cannot clean up after an artifact", e);
    }
  }
}
