package dev.errand.host.log;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.host.record.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes one log: the head half of the cap is kept, the tail half is stored in segments of which
 * the oldest can be dropped.
 *
 * <p>Appending, dropping and closing belong to one thread; other threads may ask what is stored.
 */
public final class LogWriter {
  private static final int TAIL_PARTS = 16;

  private static final FileAttribute<?> FILE_MODE = mode("rw-------");
  private static final FileAttribute<?> FOLDER_MODE = mode("rwx------");
  private static final Set<OpenOption> EXISTING = Set.of(CREATE, WRITE, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> FRESH =
      Set.of(CREATE, WRITE, TRUNCATE_EXISTING, LinkOption.NOFOLLOW_LINKS);

  private final Path folder;
  private final LogStream stream;
  private final long headEnd;
  private final long tailBytesMax;
  private final long segmentBytes;
  private final OpenLogs openLogs;
  private final Object lock = new Object();
  private final Deque<Extent> segments = new ArrayDeque<>();
  private long end;
  private @Nullable FileChannel channel;

  /** No file is created before the first byte. */
  public LogWriter(
      Path logs, TaskId taskId, LogStream stream, long start, long capBytes, OpenLogs openLogs) {
    this.openLogs = openLogs;
    this.folder = LogFiles.folder(logs, taskId);
    this.stream = stream;
    this.tailBytesMax = Math.max(1, capBytes / 2);
    this.headEnd = start + Math.max(1, capBytes - tailBytesMax);
    this.segmentBytes = Math.max(1, capBytes / TAIL_PARTS);
    this.end = start;
  }

  private static FileAttribute<?> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  public Path folder() {
    return folder;
  }

  /** The offset of the next byte. */
  public long end() {
    synchronized (lock) {
      return end;
    }
  }

  /** The end of the part that is never dropped. */
  public long headEnd() {
    return headEnd;
  }

  public boolean isOpen() {
    return channel != null;
  }

  /** Stores all the bytes; after a failure {@link #end} says how many were stored. */
  public void append(ByteBuffer bytes) throws IOException {
    var limit = bytes.limit();
    openLogs.takeRoom(bytes.remaining());
    while (bytes.position() < limit) {
      var file = current();
      var segment = lastSegment();
      var room = segmentEnd(segment.from()) - segment.to();
      bytes.limit((int) Math.min(limit, bytes.position() + room));
      try {
        grow(file.write(bytes, segment.to() - segment.from()));
      } finally {
        bytes.limit(limit);
      }
    }
  }

  /** The open file of the last segment; a new file if there is none or the last is full. */
  private FileChannel current() throws IOException {
    var last = lastSegmentOrNull();
    if (last == null || last.to() >= segmentEnd(last.from()) || last.to() < end) {
      close();
      var opened = open(end, true);
      synchronized (lock) {
        segments.addLast(new Extent(end, end));
      }
      return opened;
    }
    var open = channel;
    return open != null ? open : open(last.from(), false);
  }

  private long segmentEnd(long from) {
    return from < headEnd ? headEnd : from + segmentBytes;
  }

  private FileChannel open(long from, boolean fresh) throws IOException {
    if (fresh) {
      makeFolder();
    }
    var opened =
        FileChannel.open(LogFiles.file(folder, stream, from), fresh ? FRESH : EXISTING, FILE_MODE);
    channel = opened;
    openLogs.opened();
    return opened;
  }

  /** The outer folder is missing only for the first few tasks. */
  private void makeFolder() throws IOException {
    var shard = folder.getParent();
    if (shard != null && !Files.isDirectory(shard, LinkOption.NOFOLLOW_LINKS)) {
      make(shard);
    }
    make(folder);
  }

  private static void make(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, FOLDER_MODE);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
  }

  private void grow(int bytes) {
    synchronized (lock) {
      var last = segments.removeLast();
      segments.addLast(new Extent(last.from(), last.to() + bytes));
      end += bytes;
    }
  }

  private Extent lastSegment() {
    synchronized (lock) {
      return segments.getLast();
    }
  }

  private @Nullable Extent lastSegmentOrNull() {
    synchronized (lock) {
      return segments.peekLast();
    }
  }

  /** Skips bytes that could not be stored; what follows goes into a new file. */
  public void skip(long bytes) {
    close();
    synchronized (lock) {
      end += bytes;
    }
  }

  /** The oldest segment of the tail, if the tail is larger than its limit. */
  public Optional<Extent> overfull() {
    synchronized (lock) {
      var tail = segments.stream().filter(it -> it.from() >= headEnd).toList();
      var stored = tail.stream().mapToLong(Extent::bytes).sum();
      return stored > tailBytesMax && tail.size() > 1
          ? Optional.of(tail.getFirst())
          : Optional.empty();
    }
  }

  /**
   * Deletes a segment that {@link #overfull} returned; its gap is reported with the next record.
   */
  public void drop(Extent segment) throws IOException {
    synchronized (lock) {
      segments.remove(segment);
    }
    Files.deleteIfExists(LogFiles.file(folder, stream, segment.from()));
  }

  /** The stored ranges of the files, in order. */
  List<Extent> segments() {
    synchronized (lock) {
      return List.copyOf(segments);
    }
  }

  /** The stored ranges, merged. */
  public List<Extent> extents() {
    var merged = new ArrayList<Extent>();
    for (var segment : segments()) {
      if (!merged.isEmpty() && merged.getLast().to() == segment.from()) {
        merged.add(new Extent(merged.removeLast().from(), segment.to()));
      } else if (segment.bytes() > 0) {
        merged.add(segment);
      }
    }
    return merged;
  }

  Path file(Extent segment) {
    return LogFiles.file(folder, stream, segment.from());
  }

  /** Closes the descriptor; the next byte opens the file again. */
  public void close() {
    var open = channel;
    channel = null;
    if (open == null) {
      return;
    }
    openLogs.closed();
    try {
      open.close();
    } catch (IOException e) {
      System.err.println("host: closing a log: " + e);
    }
  }
}
