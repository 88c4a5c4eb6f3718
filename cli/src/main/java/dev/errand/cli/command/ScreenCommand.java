package dev.errand.cli.command;

import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.TaskScreen;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand screen}: shows the screen of a terminal. */
final class ScreenCommand implements CliCommand {
  static final String AT = "--at";
  private static final String FORMAT = "--format";
  private static final String SCROLLBACK = "--scrollback";
  private static final String TEXT = "text";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "screen",
            new Specs.About(
                "Show the screen of a task's terminal, now or at an earlier frame",
                "ID [OPTIONS]",
                """
                The screen is rendered from the record, so it is there after the task is over \
                too. --json has the cursor, the title, the size and the frame it stands for. On a \
                terminal the text has a frame around it.\
                """,
                List.of(
                    "errand screen editor",
                    "errand screen editor --at 120 --json",
                    "errand screen editor --format html > screen.html")));
    spec.addPositional(TaskNames.one());
    spec.addOption(Specs.count("SEQ", "the screen after this frame", AT));
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of(TEXT, "ansi", "html", "json")),
            "text (default), ansi with colours, html, or json as --json",
            FORMAT));
    spec.addOption(Specs.flag("include the lines that have scrolled off", SCROLLBACK));
    return spec;
  }

  /** The given frame, if any. */
  static @Nullable Long seq(ParseResult parsed) {
    return parsed.hasMatchedOption(AT) ? parsed.matchedOptionValue(AT, 0).longValue() : null;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var format = parsed.matchedOptionValue(FORMAT, TEXT);
    var console = context.console();
    var scrollback = Specs.has(parsed, SCROLLBACK);
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      if (Specs.has(parsed, Specs.JSON) || format.equals("json")) {
        console.print(client.screen(taskId, seq(parsed)).text());
      } else if (format.equals(TEXT) && console.terminal().outIsTerminal() && !scrollback) {
        framed(client.screen(taskId, seq(parsed))).forEach(console::print);
      } else {
        var bytes = client.screen(taskId, seq(parsed), format, scrollback);
        var safe = !format.equals("ansi") && console.terminal().outIsTerminal();
        console.write(
            safe ? utf8(SafeText.block(new String(bytes, StandardCharsets.UTF_8))) : bytes);
      }
      return ExitCode.OK.number();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** With a line above and below, so that blank rows are visible. */
  private static List<String> framed(TaskScreen screen) {
    var edge = "─".repeat(screen.cols());
    var lines = new ArrayList<String>();
    lines.add(edge);
    screen.lines().forEach(it -> lines.add(SafeText.line(it)));
    lines.add(edge);
    if (screen.approximate()) {
      lines.add("(approximate: bytes before it are missing)");
    }
    return lines;
  }
}
