package dev.errand.cli.launch;

import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the daemon's program for a question that only its code can answer, without a running daemon;
 * it prints one JSON object.
 */
final class DaemonProgram {

  private DaemonProgram() {}

  /** Its output, or its error message. */
  record Answer(@Nullable JsonFields fields, String complaint) {}

  static Answer ask(Installation installation, byte[] input, String... options)
      throws InterruptedException {
    var script = installation.run();
    if (script == null) {
      throw new LaunchException(
          "this program was not started by its script, so it cannot start the daemon's program");
    }
    var command = new ArrayList<>(List.of(script.toString(), "serve"));
    command.addAll(List.of(options));
    try {
      var process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.PIPE).start();
      try (var in = process.getOutputStream()) {
        in.write(input);
      }
      // The error is one line, so it cannot fill its pipe while the output is read.
      var out = process.getInputStream().readAllBytes();
      var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0
          ? new Answer(JsonFields.of(out), "")
          : new Answer(null, err.strip().replaceFirst("^errand: ", ""));
    } catch (IOException e) {
      throw new LaunchException("the daemon's program cannot be started: " + e.getMessage(), e);
    }
  }
}
