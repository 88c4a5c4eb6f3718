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
public record HostFolder(Path path) {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  public static HostFolder of(ErrandHome home, String hostId) {
    return new HostFolder(home.hosts().resolve(hostId));
  }

  /** Where the record file's segments lie. */
  public Path records() {
    return path.resolve("records");
  }

  /** Holds the path of the socket; it is there once the host listens. */
  public Path address() {
    return path.resolve("address");
  }

  /** Holds the name of the build that the host runs. */
  public Path build() {
    return path.resolve("build");
  }

  /** Holds the host's pid, for people; it proves nothing. */
  public Path pid() {
    return path.resolve("pid");
  }

  /** Where whoever starts the host lets it say what went wrong with itself. */
  Path log() {
    return path.resolve("host.log");
  }

  /** Holds how the host keeps limits, for people. */
  Path limits() {
    return path.resolve("limits");
  }

  /** A named pipe at which a new process stands until its limits are set. */
  Path gate() {
    return path.resolve("gate");
  }

  Path socket() {
    return SocketPath.of(path.resolve("sock"));
  }

  /** Makes the folders, none of them open to others. */
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

  /** Writes a small file so that a reader finds all of it or none. */
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
