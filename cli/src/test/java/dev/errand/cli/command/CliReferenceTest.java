package dev.errand.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/cli.md} is made from the help of the commands. If it differs, it is written
 * again and the test fails once, so that the change is seen and committed.
 */
final class CliReferenceTest {
  private static final Path PAGE =
      Path.of(System.getProperty("errand.root", "..")).resolve("docs/reference/cli.md");

  @Test
  void the_reference_says_what_the_program_says() throws IOException {
    var due = page();
    var found = Files.exists(PAGE) ? Files.readString(PAGE) : "";
    if (!found.equals(due)) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, due);
    }

    assertThat(found).as("%s was out of date and is written again: commit it", PAGE).isEqualTo(due);
  }

  private static String page() {
    var page = new StringBuilder();
    page.append(
        """
        # The command line

        Written from the program's own help by `CliReferenceTest`; change the commands, not this page.

        A task is named by its id, by the beginning of its id (at least 4 characters, if only one task
        begins so), or by its label (the newest live task of that label in your session, else the newest there, else in all). Durations are
        written as `500ms`, `90s`, `5m`, `1h30m`, `2d`; sizes as `4096`, `64KiB`, `10MiB`, `1GiB`.

        With `--json` a command prints one JSON object to a line, and a failure is one object on standard
        error: `{"code", "message", "retryable", "exit_code"}`. `run --json` and `logs --json` print
        `{"type": "output", "task_id", "stream", "offset", "bytes", "text"}`, with `b64` in place of `text`
        where the bytes are not UTF-8.

        The output of a task is shown on a terminal with control characters in caret form (`^[`); files
        and pipes get the exact bytes. Colours are left out if `NO_COLOR` is set.

        | variable | meaning |
        |---|---|
        | `ERRAND_HOME` | the folder of all state; default: `errand` under the XDG state home; set inside tasks |
        | `ERRAND_SESSION_ID` | the session of new tasks, unless `--session` is given; set inside tasks |
        | `ERRAND_TASK_ID` | set inside tasks, where no command starts a daemon |
        | `ERRAND_DETACH_KEYS` | the keys that detach from `attach` and `run -t`, such as `C-] d` |
        | `ERRAND_DEBUG` | `1` prints the stack trace of a failure |
        | `NO_COLOR`, `COLUMNS` | as elsewhere |
        """);
    page.append("\n## Exit codes\n\n`run` and `wait` exit with the task's own code; ");
    page.append("one that died by signal n gives 128+n.\nThe others mean:\n\n");
    page.append("| code | meaning |\n|---|---|\n");
    for (var code : ExitCode.values()) {
      page.append("| %d | %s |\n".formatted(code.number(), code.meaning()));
    }
    for (var name : CliCommands.names()) {
      page.append("\n## errand ").append(name).append("\n\n```\n");
      page.append(HelpCommand.usage(CliCommands.get(name)).strip()).append("\n```\n");
    }
    return page.toString();
  }
}
