package dev.errand.cli.launch;

import dev.errand.wire.json.JsonFields;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a settings file in the way a starting daemon does. */
public final class SettingsReader {
  private static final String STANDARD_INPUT = "-";

  private SettingsReader() {}

  /** The settings of a file, or its errors. */
  public record Reading(@Nullable JsonFields settings, String complaint) {}

  public static Reading read(Installation installation, Path file) throws InterruptedException {
    return read(installation, file.toString(), new byte[0]);
  }

  /** The same for a text; errors name standard input. */
  public static Reading read(Installation installation, byte[] text) throws InterruptedException {
    return read(installation, STANDARD_INPUT, text);
  }

  private static Reading read(Installation installation, String file, byte[] input)
      throws InterruptedException {
    var answer = DaemonProgram.ask(installation, input, "--check", file);
    return new Reading(answer.fields(), answer.complaint());
  }
}
