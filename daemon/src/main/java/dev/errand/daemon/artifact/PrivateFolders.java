package dev.errand.daemon.artifact;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates folders and files that only their owner can use. */
final class PrivateFolders {
  static final FileAttribute<Set<PosixFilePermission>> FILE_MODE = mode("rw-------");
  private static final FileAttribute<Set<PosixFilePermission>> FOLDER_MODE = mode("rwx------");

  private PrivateFolders() {}

  private static FileAttribute<Set<PosixFilePermission>> mode(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  /** False if the folder existed; fails if something else has the name, also a link to a folder. */
  static boolean create(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, FOLDER_MODE);
      return true;
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, NOFOLLOW_LINKS)) {
        throw new IOException(folder.getFileName() + " is not a folder", e);
      }
      return false;
    }
  }

  /** Makes the names in the folder durable; on Linux a folder is synced like a file. */
  static void sync(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, READ)) {
      channel.force(true);
    }
  }
}
