package dev.errand.host.log;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Where the files of a log lie: {@code <last two of the id>/<id>/<stream>.<start offset>}. */
final class LogFiles {
  private static final Pattern START = Pattern.compile("[0-9]{20}");
  private static final int SHARD_LETTERS = 2;

  private LogFiles() {}

  static Path folder(Path root, TaskId taskId) {
    var id = taskId.value();
    return root.resolve(id.substring(id.length() - SHARD_LETTERS)).resolve(id);
  }

  static Path file(Path folder, LogStream stream, long start) {
    return folder.resolve(stream.word() + ".%020d".formatted(start));
  }

  /** The files of one log by their start offset. */
  static NavigableMap<Long, Path> list(Path folder, LogStream stream) throws IOException {
    var files = new TreeMap<Long, Path>();
    var prefix = stream.word() + ".";
    try (var entries = Files.newDirectoryStream(folder, prefix + "*")) {
      for (var entry : entries) {
        var start = entry.getFileName().toString().substring(prefix.length());
        if (START.matcher(start).matches()
            && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
          files.put(Long.parseLong(start), entry);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException _) {
      // A task without output has no folder.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  /** The size, or -1 if the file was dropped meanwhile. */
  static long size(Map.Entry<Long, Path> file) throws IOException {
    try {
      return Files.size(file.getValue());
    } catch (NoSuchFileException _) {
      return -1;
    }
  }
}
