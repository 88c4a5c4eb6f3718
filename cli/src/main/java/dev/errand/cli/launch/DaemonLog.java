package dev.errand.cli.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The file that a daemon in the background writes to; only its owner may read it. */
final class DaemonLog {
  private static final int TAIL_BYTES_MAX = 8 * 1024;
  private static final int TAIL_LINES_MAX = 20;

  private final Path file;

  DaemonLog(Path file) {
    this.file = file;
  }

  /** Creates the file and its folder if they are missing. */
  void prepare() throws IOException {
    var folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(file + " is not a regular file; remove it, and it is created again");
      }
      // From an earlier daemon: this one appends to it.
      return;
    }
  }

  long size() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** The last lines after this offset. */
  List<String> linesAfter(long offset) throws IOException {
    try (var reader = new RandomAccessFile(file.toFile(), "r")) {
      var from = Math.max(offset, reader.length() - TAIL_BYTES_MAX);
      var bytes = new byte[(int) Math.max(0, reader.length() - from)];
      reader.seek(from);
      reader.readFully(bytes);
      var lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - TAIL_LINES_MAX), lines.size());
    }
  }
}
