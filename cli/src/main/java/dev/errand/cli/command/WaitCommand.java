package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import dev.errand.cli.render.TaskText;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand wait}: returns when tasks are over, with their exit code. */
final class WaitCommand implements Verb {
  private static final String TIMEOUT = "--timeout";
  private static final String ANY = "--any";
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "wait",
            new Specs.About(
                "Wait until tasks are over and exit with their code",
                "ID... [OPTIONS]",
                """
                Of several tasks the first code in the given order that is not 0 counts. If \
                --timeout passes first the exit code is 124 and the tasks go on.\
                """,
                List.of("errand wait build", "errand wait a1b2 c3d4 --any --timeout 10m")));
    spec.addPositional(TaskNames.many());
    spec.addOption(Specs.duration("wait at most this long", TIMEOUT));
    spec.addOption(Specs.flag("return when the first of them is over", ANY));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    try (var client = context.daemon().connect()) {
      var names = new TaskNames(client, context.clock());
      var taskIds = names.resolveAll(Specs.positionals(parsed));
      var timeout = parsed.matchedOptionValue(TIMEOUT, FOR_EVER);
      taskIds.forEach(it -> sayIfHeld(client, it, context));
      var ended = await(client, taskIds, timeout, Specs.has(parsed, ANY));
      for (var status : ended) {
        context.console().print(Specs.has(parsed, Specs.JSON) ? status.text() : text(status));
      }
      return exitCode(ended, Specs.has(parsed, ANY), context);
    }
  }

  /** Who waits for a task that waits for him would wait for long. */
  private static void sayIfHeld(ErrandClient client, TaskId taskId, Context context) {
    if (client.waitEnd(taskId, Duration.ZERO).isHeld()) {
      context.console().say(HeldText.of(taskId));
    }
  }

  /** All of them in the given order, or the first one that is over. */
  private static List<TaskStatus> await(
      ErrandClient client, List<TaskId> taskIds, Duration timeout, boolean any)
      throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting = new ExecutorCompletionService<TaskStatus>(threads);
      var answers =
          taskIds.stream().map(it -> waiting.submit(() -> client.waitEnd(it, timeout))).toList();
      try {
        if (any) {
          return List.of(waiting.take().get());
        }
        var all = new ArrayList<TaskStatus>();
        for (var answer : answers) {
          all.add(answer.get());
        }
        return all;
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(e.getCause());
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static int exitCode(List<TaskStatus> tasks, boolean any, Context context) {
    if (tasks.stream().anyMatch(it -> !it.isEnded())) {
      context.console().say("errand: " + (any ? "none is" : "not all are") + " over yet");
      return ExitCode.TIMED_OUT.number();
    }
    return tasks.stream().mapToInt(TaskExit::codeOf).filter(it -> it != 0).findFirst().orElse(0);
  }

  private static String text(TaskStatus task) {
    var id = ShortIds.of(task.taskId());
    return (id + " " + task.status() + " " + TaskText.outcome(task)).strip();
  }
}
