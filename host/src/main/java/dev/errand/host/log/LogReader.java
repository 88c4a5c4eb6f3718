package dev.errand.host.log;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.host.record.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/** Reads logs by stream offset, also while a host writes them. Keeps no file open. */
public final class LogReader {
  /** How often a read is repeated when a file was dropped during it. */
  private static final int TRIES_MAX = 100;

  private final Path root;

  public LogReader(Path logsRoot) {
    this.root = logsRoot;
  }

  /** The stored ranges, in order; no two are adjacent. */
  public List<Extent> extents(TaskId taskId, LogStream stream) throws IOException {
    var extents = new ArrayList<Extent>();
    for (var file : byOffset(taskId, stream).entrySet()) {
      var from = file.getKey();
      var to = from + LogFiles.size(file);
      if (to <= from) {
        continue;
      }
      var touches = !extents.isEmpty() && extents.getLast().to() == from;
      extents.add(new Extent(touches ? extents.removeLast().from() : from, to));
    }
    return extents;
  }

  /** Reads bytes from the offset on into the buffer, at most up to the end of one file. */
  public LogRead read(TaskId taskId, LogStream stream, long offset, ByteBuffer into)
      throws IOException {
    if (offset < 0) {
      throw new IllegalArgumentException("an offset must not be negative: " + offset);
    }
    var dropped = Optional.<Long>empty();
    for (var i = 0; i < TRIES_MAX; i++) {
      var files = byOffset(taskId, stream);
      var count = readOne(files, offset, into);
      if (count > 0) {
        return new LogRead.Bytes(count);
      }
      var next = Optional.ofNullable(files.higherKey(offset));
      if (count == 0 && next.isEmpty()) {
        return new LogRead.End();
      }
      // A listing made while files are created and deleted may miss a file that is older than
      // another one it shows. A second listing, started after the newer file existed, cannot; so
      // only the second may report "dropped".
      if (count == 0 && dropped.isPresent()) {
        return new LogRead.Dropped(next.orElseThrow());
      }
      dropped = count == 0 ? next : dropped;
    }
    throw new IOException("the log " + taskId + "." + stream.word() + " changes too fast to read");
  }

  /** The number of bytes read, 0 if no file has this offset, -1 if the file was deleted. */
  private static int readOne(NavigableMap<Long, Path> files, long offset, ByteBuffer into)
      throws IOException {
    var file = files.floorEntry(offset);
    if (file == null) {
      return 0;
    }
    var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (var channel = FileChannel.open(file.getValue(), options)) {
      return Math.max(0, channel.read(into, offset - file.getKey()));
    } catch (NoSuchFileException _) {
      return -1;
    }
  }

  /** The single file that contains the whole log, if there is one, so that it can be linked. */
  public Optional<Path> singleFile(TaskId taskId, LogStream stream) throws IOException {
    var files = byOffset(taskId, stream);
    return files.size() == 1 ? Optional.of(files.firstEntry().getValue()) : Optional.empty();
  }

  /** The log's files, in the order of their offsets. */
  public List<Path> files(TaskId taskId, LogStream stream) throws IOException {
    return List.copyOf(byOffset(taskId, stream).values());
  }

  /** Removes all logs of a task. */
  public void delete(TaskId taskId) throws IOException {
    var folder = LogFiles.folder(root, taskId);
    try (var files = Files.newDirectoryStream(folder)) {
      for (var file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException | NotDirectoryException _) {
      return;
    }
    Files.deleteIfExists(folder);
  }

  private NavigableMap<Long, Path> byOffset(TaskId taskId, LogStream stream) throws IOException {
    return LogFiles.list(LogFiles.folder(root, taskId), stream);
  }
}
