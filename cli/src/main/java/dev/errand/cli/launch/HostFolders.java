package dev.errand.cli.launch;

import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The hosts of a home, read from their folders, for display only. */
public final class HostFolders {

  private HostFolders() {}

  /** A live host, its build, and how it enforces limits. */
  public record Host(String id, long pid, String build, String limits) {}

  public static List<Host> alive(ErrandHome home) {
    try (var folders = Files.list(home.hosts())) {
      return folders
          .filter(Files::isDirectory)
          .sorted()
          .map(HostFolders::host)
          .filter(it -> it.pid() > 0 && !ProcessCheck.isGone(it.pid()))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Host host(Path folder) {
    var pid = text(folder.resolve("pid"));
    return new Host(
        String.valueOf(folder.getFileName()),
        pid.matches("\\d{1,18}") ? Long.parseLong(pid) : 0,
        text(folder.resolve("build")),
        text(folder.resolve("limits")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
