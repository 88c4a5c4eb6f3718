package dev.errand.host.log;

import dev.errand.core.task.LogStream;
import dev.errand.host.record.Extent;
import dev.errand.host.record.StreamEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes the SHA-256 and the line count of a log, separately from the thread that writes it.
 *
 * <p>While the task runs only the head is digested, since the tail may still be dropped. The caller
 * supplies the buffer, so that an idle log needs no memory.
 */
public final class LogDigest {
  private final LogWriter log;
  private final LogStream stream;
  private final long start;
  private @Nullable MessageDigest sha256;
  private long lines;
  private long digested;
  private long synced;
  private long asked;
  private boolean syncFailed;

  public LogDigest(LogWriter log, LogStream stream) {
    this.log = log;
    this.stream = stream;
    this.start = log.end();
    this.digested = start;
    this.synced = start;
    this.asked = start;
  }

  public LogStream stream() {
    return stream;
  }

  /** Whether the log is empty. */
  public boolean isEmpty() {
    return log.end() == start;
  }

  /**
   * True if there are bytes that are not digested yet or, where that is required, not synced to
   * disk.
   */
  public synchronized boolean behind(boolean sync) {
    var end = log.end();
    return digested < Math.min(end, log.headEnd()) || (sync && !syncFailed && synced < end);
  }

  /** The number of bytes written since the previous call. */
  public synchronized long gained() {
    var before = asked;
    asked = log.end();
    return asked - before;
  }

  /** Digests the new bytes of the head. */
  public synchronized void follow(byte[] buffer) throws IOException {
    for (var segment : log.segments()) {
      if (segment.from() < log.headEnd()) {
        digest(segment, buffer);
      }
    }
  }

  /** Digests the rest of the stored bytes after the last write, and returns the summary. */
  public synchronized StreamEnd finish(byte[] buffer) throws IOException {
    for (var segment : log.segments()) {
      digest(segment, buffer);
    }
    return end(hex());
  }

  /** The summary without a digest, for a log that cannot be read back. */
  public synchronized StreamEnd unread() {
    return end(null);
  }

  private StreamEnd end(@Nullable String digest) {
    var stored = log.segments().stream().mapToLong(Extent::bytes).sum();
    return new StreamEnd(stream, log.end() - start, stored, lines, digest, log.extents());
  }

  private @Nullable String hex() {
    return sha256 == null ? null : HexFormat.of().formatHex(sha256.digest());
  }

  private void digest(Extent segment, byte[] buffer) throws IOException {
    if (segment.to() <= digested) {
      return;
    }
    try (var file = FileChannel.open(log.file(segment), StandardOpenOption.READ)) {
      for (var at = Math.max(digested, segment.from()); at < segment.to(); ) {
        var wanted = (int) Math.min(buffer.length, segment.to() - at);
        var count = file.read(ByteBuffer.wrap(buffer, 0, wanted), at - segment.from());
        if (count <= 0) {
          throw new IOException(log.file(segment) + " is shorter than was written");
        }
        add(buffer, count);
        at += count;
        digested = at;
      }
    }
  }

  private void add(byte[] buffer, int count) {
    if (sha256 == null) {
      sha256 = newSha256();
    }
    sha256.update(buffer, 0, count);
    lines += LineCounter.count(buffer, count);
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Syncs the stored bytes to disk. A failed sync is not repeated: the kernel may have dropped what
   * it could not write, and would report success the next time.
   */
  public synchronized void sync() throws IOException {
    var end = log.end();
    if (synced == end || syncFailed) {
      return;
    }
    for (var segment : log.segments()) {
      if (segment.to() > synced) {
        syncFile(segment);
      }
    }
    synced = end;
  }

  private void syncFile(Extent segment) throws IOException {
    try (var file = FileChannel.open(log.file(segment), StandardOpenOption.WRITE)) {
      force(file);
    } catch (NoSuchFileException _) {
      // It was dropped from the tail meanwhile, so its bytes need no sync.
    }
  }

  private void force(FileChannel file) throws IOException {
    try {
      file.force(false);
    } catch (IOException e) {
      syncFailed = true;
      throw e;
    }
  }

  /** After the last byte: syncs everything, and returns the ranges that may not be on disk. */
  public synchronized Optional<Extent> syncAll() {
    try {
      sync();
    } catch (IOException e) {
      System.err.println("host: a log may not be on the disk: " + e);
    }
    try {
      syncFolder();
    } catch (IOException e) {
      System.err.println("host: the name of a log may not be on the disk: " + e);
      synced = start;
    }
    var end = log.end();
    return synced < end ? Optional.of(new Extent(synced, end)) : Optional.empty();
  }

  private void syncFolder() throws IOException {
    if (log.end() > start && Files.isDirectory(log.folder())) {
      try (var folder = FileChannel.open(log.folder(), StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }
}
