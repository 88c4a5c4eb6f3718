package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** {@code errand resize}: resizes the terminal of a task. */
final class ResizeCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "resize",
            new Specs.About(
                "Resize the terminal of a task",
                "ID ROWSxCOLS",
                """
                Programs in the terminal are told, and most draw themselves again. Only for tasks \
                that were started with -t.\
                """,
                List.of("errand resize editor 50x132")));
    spec.addPositional(TaskNames.one());
    spec.addPositional(Specs.argument(1, "ROWSxCOLS", "rows and columns, 1 to 1000 each"));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    try (var client = context.daemon().connect()) {
      var size = Values.terminalSize(words.get(1));
      var taskId = TaskNames.of(client, context).resolve(words.getFirst());
      client.resize(taskId, size);
      context
          .console()
          .print(
              Specs.has(parsed, Specs.JSON)
                  ? JsonLines.object(out ->
                      out.text("task_id", taskId.value())
                          .number("rows", size.rows())
                          .number("cols", size.cols()))
                  : ShortIds.of(taskId) + " is " + size);
      return ExitCode.OK.number();
    } catch (TypeConversionException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
