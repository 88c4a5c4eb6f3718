package dev.errand.daemon.task;

import dev.errand.core.task.Command;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.TaskSpec;
import dev.errand.wire.json.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Distinguishes refused requests without storing them. */
final class ArgsDigest {

  private ArgsDigest() {}

  /**
   * The SHA-256 of the arguments in one fixed form. Values of variables are left out: a short
   * secret could be found by trying.
   */
  static String of(TaskSpec spec) {
    var text =
        JsonWriter.object(out -> {
          switch (spec.work()) {
            case Command it -> write(out, it);
          }
        });
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void write(JsonWriter out, Command command) {
    switch (command.invocation()) {
      case Invocation.Shell(var line) -> out.text("command", line);
      case Invocation.Program(var argv) -> out.texts("argv", argv);
      case Invocation.Fed(var argv, var input) -> out.texts("argv", argv).text("input", input);
    }
    out.text("cwd", command.cwd());
    out.texts("env", List.copyOf(command.environment().names()));
    out.bool("stdin", command.io().stdin());
  }
}
