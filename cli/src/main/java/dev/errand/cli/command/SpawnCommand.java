package dev.errand.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand spawn}: starts a task and returns at once. */
final class SpawnCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "spawn",
            new Specs.About(
                "Start a command as a task, print its id, and return",
                "[OPTIONS] [--] PROGRAM [ARGS...]  |  errand spawn [OPTIONS] -c LINE",
                """
                Starts the daemon if none runs. When the id is printed the task is recorded: it \
                runs even if everything here is killed.\
                """,
                List.of(
                    "errand spawn -n web -- npm run dev",
                    "id=$(errand spawn -c 'sleep 60; echo done') && errand wait $id")));
    SpawnOptions.addTo(spec);
    spec.addOption(
        Specs.flag("open its standard input, to be written with errand send", SpawnOptions.STDIN));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    var stdin = Specs.has(parsed, SpawnOptions.STDIN);
    var task = SpawnOptions.task(parsed, context, stdin);
    var console = context.console();
    try (var client = context.daemon().connectOrStart()) {
      PlanOptions.follow(parsed, task, TaskNames.of(client, context));
      var accepted = client.accept(task);
      var taskId = accepted.taskId();
      console.print(Specs.has(parsed, Specs.JSON) ? JsonLines.spawned(taskId) : taskId.value());
      if (accepted.isHeld()) {
        console.say(HeldText.of(taskId));
      } else if (console.terminal().outIsTerminal()) {
        console.say("follow it with: errand logs -f " + taskId);
      }
      return ExitCode.OK.number();
    }
  }
}
