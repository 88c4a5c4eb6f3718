package dev.errand.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The JDK of this test, whose {@code java} leaves the second compiler out: a daemon of a test lives
 * for seconds, and two fifths of the processor time of its start are that compiler's. Where tests
 * last long ({@code make torture}, {@code make soak}) it is the JDK itself.
 */
final class QuickJdk {
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  private QuickJdk() {}

  static Path in(Path folder) throws IOException {
    if (Boolean.getBoolean("errand.long")) {
      return JDK;
    }
    var bin = Files.createDirectories(folder.resolve("jdk").resolve("bin"));
    Files.createSymbolicLink(folder.resolve("jdk/release"), JDK.resolve("release"));
    Files.createSymbolicLink(bin.resolve("javac"), JDK.resolve("bin/javac"));
    var java = bin.resolve("java");
    var real = JDK.resolve("bin/java");
    Files.writeString(
        java, "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 \"$@\"\n".formatted(real));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder.resolve("jdk");
  }
}
