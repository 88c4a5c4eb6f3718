package dev.errand.daemon.hostlink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names the time since the machine was started: no process lives longer than that. */
final class Boot {
  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private Boot() {}

  static String currentId() throws IOException {
    return Files.readString(FILE).strip();
  }

  static boolean isCurrent(HostFolder folder) throws IOException {
    return Files.exists(folder.boot())
        && Files.readString(folder.boot()).strip().equals(currentId());
  }
}
