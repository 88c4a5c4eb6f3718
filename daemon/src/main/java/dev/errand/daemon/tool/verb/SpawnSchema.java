package dev.errand.daemon.tool.verb;

import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.SpawnFields;
import java.util.List;

/** What a spawn takes, told to agents. */
final class SpawnSchema {
  private static final long SECONDS_MAX = 31_536_000;
  private static final long WINDOW_SECONDS_MAX = 3_600;
  private static final long BYTES_MAX = 1L << 40;
  private static final long SHOWN_BYTES_MAX = 64 << 20;

  private SpawnSchema() {}

  static Schema arguments() {
    var schema =
        Schema.object()
            .text(
                "tool", "bash or shell for a command line, exec for a program, or a declared tool")
            .anyObject(
                "args",
                "what to run: command (a line) or argv (a list), and cwd, env, secret_env; for a"
                    + " declared tool its own arguments")
            .required("tool", "args")
            .text("title", "for people")
            .words("execution_mode", "pty gives it a terminal", List.of("pipes", "pty"))
            .text("origin_session_id", "where the wish came from")
            .session()
            .text("label", "a name to find it by");
    return SpawnFields.attended(SpawnFields.planned(limited(schema)));
  }

  private static Schema limited(Schema schema) {
    return schema
        .timeout("number", "end it after so many seconds", 1)
        .number("idle_timeout_secs", "end it after so long without output", 1, SECONDS_MAX)
        .number("grace_secs", "from TERM to KILL", 0, WINDOW_SECONDS_MAX)
        .number("drain_secs", "how long to read on after the exit", 0, WINDOW_SECONDS_MAX)
        .words("leftover", "what becomes of descendants that outlive it", List.of("kill", "keep"))
        .words(
            "on_restart",
            "what happens if its process is gone after a restart",
            List.of("adopt", "lost", "requeue"))
        .words("on_output_limit", "what happens at the cap", List.of("truncate", "kill"))
        .integer("artifact_max_bytes", "output kept of each stream", 4_096, BYTES_MAX)
        .bool("stdin", "open its standard input, to write to it")
        .anyObject("limits", "memory_bytes, processes, cpu_secs, open_files, file_size_bytes")
        .text("justification", "why it is wanted, where the policy asks for it")
        .integer("rows", "of the terminal", TerminalSize.MIN, TerminalSize.MAX)
        .integer("cols", "of the terminal", TerminalSize.MIN, TerminalSize.MAX)
        .integer("max_output_bytes", "what the tool shell shows of its output", 1, SHOWN_BYTES_MAX);
  }
}
