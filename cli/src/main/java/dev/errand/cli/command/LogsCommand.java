package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand logs}: prints the output of a task. */
final class LogsCommand implements CliCommand {
  private static final String FOLLOW = "--follow";
  private static final String STREAM = "--stream";
  private static final String RAW = "--raw";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "logs",
            new Specs.About(
                "Show the output of a task, and follow it",
                "ID [OPTIONS]",
                """
                Its standard output goes to standard output, its errors to standard error, in the \
                order in which they were written. On a terminal control characters are shown in \
                caret form; a file or a pipe gets the exact bytes. With -f, Ctrl-C detaches and \
                leaves the task running. --lines and --search show plain text: without colours and \
                control characters, and only the beginning of very long lines.\
                """,
                List.of(
                    "errand logs -f web",
                    "errand logs build --tail 100 --stream stderr",
                    "errand logs web --since 10m",
                    "errand logs build > build.log",
                    "errand logs build --lines 100:120",
                    "errand logs build --search '(?i)error' -C 2")));
    spec.addPositional(TaskNames.one());
    spec.addOption(Specs.flag("follow the output until the task is over", "-f", FOLLOW));
    LogStart.addTo(spec);
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("stdout", "stderr", "pty")), "only this stream", STREAM));
    spec.addOption(Specs.flag("exact bytes, also on a terminal", RAW));
    LogByLines.addTo(spec);
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var only = LogStream.ofWord(parsed.matchedOptionValue(STREAM, "")).orElse(null);
    var mode = OutputView.Mode.of(Specs.has(parsed, Specs.JSON), Specs.has(parsed, RAW));
    LogStart.check(parsed);
    var byLines = LogByLines.of(parsed, List.of(FOLLOW, RAW));
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      if (byLines != null) {
        byLines.show(client, taskId, only, context.console());
        return ExitCode.OK.number();
      }
      var view = new OutputView(context.console(), taskId, mode, only);
      var start = LogStart.find(client, taskId, parsed, only, context.clock());
      show(client, taskId, start, view, Specs.has(parsed, FOLLOW), context);
      view.end();
      return ExitCode.OK.number();
    }
  }

  private static void show(
      ErrandClient client,
      TaskId taskId,
      LogStart start,
      OutputView view,
      boolean follow,
      Context context) {
    if (!follow) {
      client.play(taskId, start.afterSeq(), start.sink(view, false));
      return;
    }
    Following.follow(client, taskId, start.afterSeq(), start.sink(view, true), context.console());
  }
}
