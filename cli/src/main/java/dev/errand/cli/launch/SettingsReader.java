package dev.errand.cli.launch;

import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of settings as a daemon would that starts with it. Only the daemon's own code knows
 * them, so it is started for a moment, to read the file and nothing else.
 */
public final class SettingsReader {
  private static final String STANDARD_INPUT = "-";

  private SettingsReader() {}

  /** What a file says: its settings, or what is wrong with it. */
  public record Reading(@Nullable JsonFields settings, String complaint) {}

  public static Reading read(Installation installation, Path file) throws InterruptedException {
    return read(installation, file.toString(), new byte[0]);
  }

  /** The same of a text that was read already; what is wrong with it is told of standard input. */
  public static Reading read(Installation installation, byte[] text) throws InterruptedException {
    return read(installation, STANDARD_INPUT, text);
  }

  private static Reading read(Installation installation, String file, byte[] input)
      throws InterruptedException {
    var script = installation.run();
    if (script == null) {
      throw new LaunchException(
          "this program does not know its launcher, so it cannot read settings; start a daemon");
    }
    try {
      var process =
          new ProcessBuilder(script.toString(), "serve", "--check", file)
              .redirectError(ProcessBuilder.Redirect.PIPE)
              .start();
      try (var in = process.getOutputStream()) {
        in.write(input);
      }
      // What is wrong is one line, so it cannot fill its pipe while the other is read.
      var out = process.getInputStream().readAllBytes();
      var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0
          ? new Reading(JsonFields.of(out), "")
          : new Reading(null, err.strip().replaceFirst("^errand: ", ""));
    } catch (IOException e) {
      throw new LaunchException("the settings cannot be read: " + e.getMessage(), e);
    }
  }
}
