package dev.errand.cli.command;

import dev.errand.cli.render.Table;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.ToolClient;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand tool}: calls a tool of agents from a shell. */
final class ToolCommand implements CliCommand {
  private static final String SESSION = "--session";
  private static final String BATCH = "--batch";
  private static final String WHY = "--why";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "tool",
            new Specs.About(
                "Call a tool as an agent would, or list the tools",
                "[NAME [ARGUMENTS|-]] [OPTIONS]",
                """
                ARGUMENTS is a JSON object; - reads it from standard input, and without it there \
                are none. Tasks that name no folder run in the present one. Prints the short text of the answer, with --json the structured one. A \
                tool whose work went wrong exits with 3. Without a NAME the tools are listed, with \
                --json as they describe themselves.\
                """,
                List.of(
                    "errand tool",
                    "errand tool shell '{\"command\": \"make test\"}'",
                    "errand tool tool_task_status '{\"task_id\": \"01a1e1c3\"}' --json")));
    spec.addPositional(Specs.optional(0, "NAME", "the tool"));
    spec.addPositional(Specs.optional(1, "ARGUMENTS", "a JSON object, or -"));
    spec.addOption(Specs.text("ID", "the session (default: yours)", SESSION));
    spec.addOption(Specs.text("NAME", "the batch of the tasks that it starts or selects", BATCH));
    spec.addOption(Specs.text("TEXT", "the justification; a policy rule may require it", WHY));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var json = Specs.has(parsed, Specs.JSON);
    try (var client = context.daemon().connect()) {
      if (words.isEmpty()) {
        return list(client, json, context);
      }
      var folder = Path.of("").toAbsolutePath().normalize().toString();
      var options =
          new ToolClient.Options(
              option(parsed, SESSION), option(parsed, BATCH), option(parsed, WHY), folder);
      var answer = client.tools().call(words.getFirst(), arguments(words, context), options);
      return show(answer, json, context);
    }
  }

  private static @Nullable String option(ParseResult parsed, String name) {
    return parsed.hasMatchedOption(name) ? parsed.matchedOptionValue(name, "") : null;
  }

  private static int list(ErrandClient client, boolean json, Context context) {
    var console = context.console();
    var table = new Table("NAME", "TOOLSET", "TITLE");
    for (var tool : client.tools().list()) {
      if (json) {
        console.print(Json.text(tool.node()));
      } else {
        table.row(List.of(cell(tool, "name"), cell(tool, "toolset"), cell(tool, "title")));
      }
    }
    if (!json) {
      table.lines(0, console.terminal().colour()).forEach(console::print);
    }
    return ExitCode.OK.number();
  }

  private static Table.Cell cell(JsonFields tool, String name) {
    return Table.Cell.of(SafeText.line(tool.text(name, "")));
  }

  private static byte[] arguments(List<String> words, Context context) {
    if (words.size() < 2) {
      return new byte[] {'{', '}'};
    }
    if (!words.get(1).equals("-")) {
      return words.get(1).getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Json.readBounded(context.console().in(), HttpBounds.REQUEST_BYTES_MAX);
    } catch (IOException e) {
      throw new CliException(ExitCode.REFUSED, "cannot read the input: " + e.getMessage(), e);
    }
  }

  private static int show(JsonFields answer, boolean json, Context context) {
    var console = context.console();
    console.print(
        json
            ? Json.text(answer.object("structured").node())
            : SafeText.block(answer.text("text", "")).stripTrailing());
    var wrong = answer.bool("is_error", false);
    return wrong ? ExitCode.REFUSED.number() : ExitCode.OK.number();
  }
}
