package dev.errand.cli.launch;

import dev.errand.wire.json.JsonFields;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a file of settings as a daemon would that starts with it. */
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
    var answer = DaemonProgram.ask(installation, input, "--check", file);
    return new Reading(answer.fields(), answer.complaint());
  }
}
