package dev.errand.cli.command;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.WaitResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand wait}: waits until tasks are over or a condition is met. */
final class WaitCommand implements CliCommand {
  private static final String TIMEOUT = "--timeout";
  private static final String ANY = "--any";
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "wait",
            new Specs.About(
                "Wait until tasks are over and exit with their code, or until a condition is met",
                "ID... [OPTIONS]",
                """
                Of several tasks the first code in the given order that is not 0 counts. If \
                --timeout passes first the exit code is 124 and the tasks go on. With --until the \
                code is 0 when it holds, 6 when a task ends before, and the task's own where \
                "exit" was among what was waited for. A text is searched in the whole log, also \
                in what was written before; the pattern is RE2, in which ^ and $ stand at line \
                borders.\
                """,
                List.of(
                    "errand wait build",
                    "errand wait a1b2 c3d4 --any --timeout 10m",
                    "errand wait web --until port:8080 --until exit --timeout 30s",
                    "errand wait web --until 'text:(?i)listening on'")));
    spec.addPositional(TaskNames.many());
    spec.addOption(Specs.duration("wait at most this long", TIMEOUT));
    spec.addOption(Specs.flag("return when the first of them is over or meets a condition", ANY));
    spec.addOption(Specs.texts(UntilOption.LABEL, UntilOption.DESCRIPTION, UntilOption.NAME));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    List<String> until = parsed.matchedOptionValue(UntilOption.NAME, List.of());
    try (var client = context.daemon().connect()) {
      var names = TaskNames.of(client, context);
      var taskIds = names.resolveAll(Specs.positionals(parsed));
      taskIds.forEach(it -> sayIfHeld(client, it, context));
      var wait =
          new Wait(taskIds, parsed.matchedOptionValue(TIMEOUT, FOR_EVER), Specs.has(parsed, ANY));
      var json = Specs.has(parsed, Specs.JSON);
      return until.isEmpty()
          ? untilOver(client, wait, json, context)
          : untilHeld(client, wait, until, json, context);
    }
  }

  private record Wait(List<TaskId> taskIds, Duration timeout, boolean any) {}

  /** A task that waits for itself or for a task that waits for it would never end. */
  private static void sayIfHeld(ErrandClient client, TaskId taskId, Context context) {
    if (client.waitEnd(taskId, Duration.ZERO).isHeld()) {
      context.console().say(HeldText.of(taskId));
    }
  }

  private static int untilOver(ErrandClient client, Wait wait, boolean json, Context context)
      throws InterruptedException {
    var ended = await(wait, it -> client.waitEnd(it, wait.timeout()));
    ended.forEach(it -> context.console().print(json ? it.text() : AwaitedText.of(it)));
    ended.forEach(it -> TaskExit.explainLeftovers(context.console(), it));
    if (ended.stream().anyMatch(it -> !it.isEnded())) {
      context.console().say("errand: " + (wait.any() ? "none is" : "not all are") + " over yet");
      return ExitCode.TIMED_OUT.number();
    }
    return firstCode(ended.stream().map(TaskExit::codeOf).toList());
  }

  private static int untilHeld(
      ErrandClient client, Wait wait, List<String> wanted, boolean json, Context context)
      throws InterruptedException {
    var until = UntilOption.parse(wanted);
    var awaited = await(wait, it -> client.await(it, until, wait.timeout()));
    awaited.forEach(it -> context.console().print(json ? it.status().text() : AwaitedText.of(it)));
    return firstCode(awaited.stream().map(it -> codeOf(it, context)).toList());
  }

  private static int codeOf(WaitResult awaited, Context context) {
    var held = awaited.held();
    if (held != null) {
      return held.kind().equals("exit") ? TaskExit.codeOf(awaited.status()) : 0;
    }
    if (awaited.timedOut()) {
      context.console().say("errand: timed out: no condition is met yet");
      return ExitCode.TIMED_OUT.number();
    }
    context.console().say("errand: the task ended before any condition was met");
    return ExitCode.ENDED_FIRST.number();
  }

  private static int firstCode(List<Integer> codes) {
    return codes.stream().filter(it -> it != 0).findFirst().orElse(0);
  }

  /** All of them in the given order, or the first one that is done. */
  private static <T> List<T> await(Wait wait, Function<TaskId, T> waiting)
      throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = new ExecutorCompletionService<T>(threads);
      var answers =
          wait.taskIds().stream().map(it -> done.submit(() -> waiting.apply(it))).toList();
      try {
        if (wait.any()) {
          return List.of(done.take().get());
        }
        var all = new ArrayList<T>();
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
}
