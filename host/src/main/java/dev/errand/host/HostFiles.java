package dev.errand.host;

import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.home.PrivateFolder;
import dev.errand.wire.home.SocketPath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The names in {@code hosts/<host id>/}. */
public record HostFiles(Path path) {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  public static HostFiles of(ErrandHome home, String hostId) {
    return new HostFiles(home.hosts().resolve(hostId));
  }

  /** The folder of the record file's segments. */
  public Path records() {
    return path.resolve("records");
  }

  /** Holds the path of the socket; exists once the host listens. */
  public Path address() {
    return path.resolve("address");
  }

  /** Holds the name of the build that the host runs. */
  public Path build() {
    return path.resolve("build");
  }

  /** Holds the host's pid, for people; it is no proof that the host lives. */
  public Path pid() {
    return path.resolve("pid");
  }

  /** The standard error of the host, opened by the process that starts it. */
  Path log() {
    return path.resolve("host.log");
  }

  /** Says how the host applies limits, for people. */
  Path limits() {
    return path.resolve("limits");
  }

  /** A named pipe that blocks a new process until its limits are set. */
  Path gate() {
    return path.resolve("gate");
  }

  Path socket() {
    return SocketPath.of(path.resolve("sock"));
  }

  /** Creates the folders, accessible to their owner only. */
  void create(ErrandHome home) throws IOException {
    makeFolder(home.logs());
    makeFolder(path);
    makeFolder(records());
    var socketFolder = socket().getParent();
    if (socketFolder != null) {
      makeFolder(socketFolder);
      var problem = PrivateFolder.problem(socketFolder);
      if (problem.isPresent()) {
        throw new IOException("the socket is not safe there: " + problem.get());
      }
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    var parent = folder.getParent();
    if (parent != null && !Files.exists(parent)) {
      makeFolder(parent);
    }
    try {
      Files.createDirectory(folder, PRIVATE_FOLDER);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
  }

  /** Writes a small file atomically: a reader finds the whole content or no file. */
  void write(Path file, String text) throws IOException {
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PRIVATE_FILE);
    Files.writeString(fresh, text + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  boolean vanished() {
    return !Files.exists(path);
  }
}
