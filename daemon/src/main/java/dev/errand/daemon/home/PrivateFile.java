package dev.errand.daemon.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes files that only their owner can read, from their creation on. */
public final class PrivateFile {

  private PrivateFile() {}

  /** Replaces the file atomically: a reader sees the old or the new content, also after a crash. */
  public static void write(Path file, byte[] content) throws IOException {
    var fresh = file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(fresh);
    try (var channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      var bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
