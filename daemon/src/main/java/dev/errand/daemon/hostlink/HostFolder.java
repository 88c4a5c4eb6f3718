package dev.errand.daemon.hostlink;

import java.nio.file.Path;

/** The folder of one host, named by its id, and what lies in it. */
record HostFolder(Path path) {
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

  /** The boot in which the host was started: none of its processes outlives that. */
  Path boot() {
    return path.resolve("boot");
  }

  /** Where the host says what went wrong with itself. */
  Path log() {
    return path.resolve("host.log");
  }
}
