package dev.errand.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs other programs to their end. */
final class Programs {
  private static final long SECONDS_MAX = 300;

  private Programs() {}

  /** What it printed; throws if it failed. */
  static String run(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    var out = Files.createTempFile("errand-bench", ".out");
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().putAll(environment);
      var process = builder.start();
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end");
      }
      var said = Files.readString(out, StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(command + " ended with " + process.exitValue() + ": " + said);
      }
      return said;
    } finally {
      Files.delete(out);
    }
  }

  static String run(String... command) throws IOException, InterruptedException {
    return run(Map.of(), List.of(command));
  }

  static boolean isThere(String name) {
    for (var folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }
}
