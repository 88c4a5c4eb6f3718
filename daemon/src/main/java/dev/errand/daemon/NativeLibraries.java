package dev.errand.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Keeps the database driver's unpacked library out of the shared temporary folder. */
final class NativeLibraries {

  private NativeLibraries() {}

  /** Must be called before the driver is used, and while no other daemon can run in this home. */
  static void unpackInto(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    // A killed daemon leaves its copy.
    try (var left = Files.newDirectoryStream(folder)) {
      for (var file : left) {
        Files.deleteIfExists(file);
      }
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
  }

  /** The same for a short program that may run at the same time as a daemon. */
  static void unpackForNow() throws IOException {
    var folder = Files.createTempDirectory("errand-");
    folder.toFile().deleteOnExit();
    System.setProperty("org.sqlite.tmpdir", folder.toString());
  }

  /** Must be called once the driver is used: it unpacks its library with the mode of the umask. */
  static void closeToOthers(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder)) {
      for (var file : files) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }
}
