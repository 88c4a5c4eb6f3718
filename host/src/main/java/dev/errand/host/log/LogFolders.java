package dev.errand.host.log;

import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the tasks that have logs. */
public final class LogFolders {
  private static final DirectoryStream.Filter<Path> FOLDERS =
      it -> Files.isDirectory(it, LinkOption.NOFOLLOW_LINKS);

  private final Path root;

  public LogFolders(Path logsRoot) {
    this.root = logsRoot;
  }

  /** All tasks that have logs. */
  public List<TaskId> all() throws IOException {
    return quietSince(Long.MAX_VALUE);
  }

  /** The folder with the logs of a task. */
  public Path of(TaskId taskId) {
    return LogFiles.folder(root, taskId);
  }

  /** Tasks with logs, none of which was written to since that time. */
  public List<TaskId> quietSince(long beforeMs) throws IOException {
    var quiet = new ArrayList<TaskId>();
    try (var shards = Files.newDirectoryStream(root, FOLDERS)) {
      for (var shard : shards) {
        try (var tasks = Files.newDirectoryStream(shard, FOLDERS)) {
          for (var folder : tasks) {
            taskId(folder).filter(_ -> isQuiet(folder, beforeMs)).ifPresent(quiet::add);
          }
        }
      }
    } catch (NoSuchFileException | NotDirectoryException _) {
      // No output has been written yet.
    }
    return quiet;
  }

  private static Optional<TaskId> taskId(Path folder) {
    try {
      return Optional.of(new TaskId(folder.getFileName().toString()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static boolean isQuiet(Path folder, long beforeMs) {
    try (var files = Files.list(folder)) {
      return files.allMatch(it -> lastWrite(it) < beforeMs);
    } catch (IOException _) {
      return false;
    }
  }

  private static long lastWrite(Path file) {
    try {
      return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
    } catch (IOException _) {
      return Long.MAX_VALUE;
    }
  }
}
