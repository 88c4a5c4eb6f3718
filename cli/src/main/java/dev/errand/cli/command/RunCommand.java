package dev.errand.cli.command;

import dev.errand.cli.attach.AttachSession;
import dev.errand.cli.attach.DetachKeys;
import dev.errand.cli.terminal.Terminal.Kind;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskStatus;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand run}: a task in the background, followed as if it ran in the foreground. */
final class RunCommand implements CliCommand {
  private static final String NO_STDIN = "--no-stdin";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "run",
            new Specs.About(
                "Run a command as a task, follow its output, exit with its code",
                "[OPTIONS] [--] PROGRAM [ARGS...]  |  errand run [OPTIONS] -c LINE",
                """
                Starts the daemon if none runs. The task gets your PATH, LANG, LC_* and working \
                folder. What is piped in is passed on to it. Ctrl-C detaches and leaves the task \
                running; errand cancel ends it. With -t it has a terminal and what it writes is \
                shown as it is; at a terminal of yours you are attached to it, as by errand attach.\
                """,
                List.of(
                    "errand run -- make -j4 check",
                    "errand run -n web --timeout 1h -c 'npm run dev | tee dev.log'",
                    "echo hello | errand run -- wc -c",
                    "errand run -t -- vim notes.txt")));
    SpawnOptions.addTo(spec);
    spec.addOption(Specs.flag("pass on standard input, also from a terminal", SpawnOptions.STDIN));
    spec.addOption(Specs.flag("leave standard input alone", NO_STDIN));
    spec.addOption(AttachCommand.keysOption());
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    var stdin = wantsStdin(parsed, context);
    var keys = AttachCommand.keys(parsed, context.environment());
    var task = SpawnOptions.task(parsed, context, stdin);
    try (var client = context.daemon().connectOrStart()) {
      PlanOptions.follow(parsed, task, TaskNames.of(client, context));
      var accepted = client.accept(task);
      var taskId = accepted.taskId();
      if (accepted.isHeld()) {
        context.console().say(HeldText.of(taskId));
      }
      if (attaches(parsed, context)) {
        return attach(client, taskId, keys, parsed, context);
      }
      if (stdin) {
        new StdinForwarder(client, taskId, context.console().in()).start(true);
      }
      follow(client, taskId, mode(parsed), context);
      return end(client.status(taskId), parsed, context);
    }
  }

  /** With -t on a terminal, the command attaches to the task. */
  private static boolean attaches(ParseResult parsed, Context context) {
    var terminal = context.console().terminal();
    return SpawnOptions.wantsTerminal(parsed)
        && terminal.inIsTerminal()
        && terminal.outIsTerminal()
        && !Specs.has(parsed, NO_STDIN)
        && !Specs.has(parsed, Specs.JSON);
  }

  private static int attach(
      ErrandClient client, TaskId taskId, DetachKeys keys, ParseResult parsed, Context context) {
    var fromStart = AttachOptions.TERMINAL.from(0);
    var ended = new AttachSession(context.console(), keys).run(client, taskId, fromStart);
    return ended.isPresent()
        ? end(ended.get(), parsed, context)
        : AttachCommand.detached(taskId, context);
  }

  private static boolean wantsStdin(ParseResult parsed, Context context) {
    if (Specs.has(parsed, NO_STDIN)) {
      return false;
    }
    return Specs.has(parsed, SpawnOptions.STDIN) || context.console().terminal().in() == Kind.DATA;
  }

  /** Output of a terminal task is written unchanged: escaped it would be unreadable. */
  private static OutputView.Mode mode(ParseResult parsed) {
    return OutputView.Mode.of(Specs.has(parsed, Specs.JSON), SpawnOptions.wantsTerminal(parsed));
  }

  private static void follow(
      ErrandClient client, TaskId taskId, OutputView.Mode mode, Context context) {
    var console = context.console();
    if (mode == OutputView.Mode.JSON) {
      console.print(JsonLines.spawned(taskId));
    }
    var view = new OutputView(console, taskId, mode, null);
    Following.follow(client, taskId, -1, view, console);
    view.end();
  }

  private static int end(TaskStatus status, ParseResult parsed, Context context) {
    var console = context.console();
    if (Specs.has(parsed, Specs.JSON)) {
      console.print(JsonLines.ended(status));
    } else {
      TaskExit.explain(console, status);
      hintAtShell(Specs.positionals(parsed), status, context);
    }
    return TaskExit.codeOf(status);
  }

  /** A whole command line in quotes is the usual reason why a program is not found. */
  private static void hintAtShell(List<String> argv, TaskStatus status, Context context) {
    var oneWithSpaces = argv.size() == 1 && argv.getFirst().indexOf(' ') >= 0;
    if (oneWithSpaces && TaskExit.codeOf(status) == ExitCode.NOT_FOUND.number()) {
      context.console().say("errand: to run a shell line use: errand run -c '...'");
    }
  }
}
