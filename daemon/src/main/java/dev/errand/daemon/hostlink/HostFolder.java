package dev.errand.daemon.hostlink;

import dev.errand.host.HostLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The folder of one host, named by its id, and what lies in it. */
record HostFolder(Path path) {

  /** Far longer than a host takes to start. */
  private static final Duration START_MAX = Duration.ofMinutes(1);

  static List<HostFolder> allIn(Path hosts) throws IOException {
    if (!Files.isDirectory(hosts)) {
      return List.of();
    }
    try (var list = Files.list(hosts)) {
      return list.filter(Files::isDirectory).sorted().map(HostFolder::new).toList();
    }
  }

  String id() {
    return path.getFileName().toString();
  }

  /** A file with the path of the host's socket; there once it listens. */
  Path address() {
    return path.resolve("address");
  }

  Path records() {
    return path.resolve("records");
  }

  /** The boot in which the host was started: none of its processes outlives it. */
  Path boot() {
    return path.resolve("boot");
  }

  /**
   * A host is dead if its lock can be taken, and by no other sign. One that never took its lock is
   * given up some time after its folder was made.
   */
  boolean isDead(Instant now) throws IOException {
    if (HostLock.isDead(path)) {
      return true;
    }
    return !Files.exists(path.resolve("lock"))
        && Files.getLastModifiedTime(path).toInstant().isBefore(now.minus(START_MAX));
  }

  /** The same folder under another name, where its host does not look for it. */
  HostFolder moveAside() throws IOException {
    return new HostFolder(Files.move(path, path.resolveSibling(id() + ".gone")));
  }

  /** Where the host logs its own failures. */
  Path log() {
    return path.resolve("host.log");
  }
}
