package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One key is one task, however often and from wherever it is asked for. */
@Timeout(120)
final class IdempotencyTest extends DaemonCase {
  private static final int CALLERS = 100;

  @Test
  void parallel_spawns_with_one_key_make_one_task_also_after_a_kill() throws Exception {
    var ran = sandbox.folder().resolve("ran");
    var task = once(ran, "one");
    var taskIds = new HashSet<TaskId>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var call : callers.invokeAll(calls(_ -> client.spawn(task, "one-key")))) {
        taskIds.add(call.get());
      }
    }

    assertThat(taskIds).hasSize(1);
    var taskId = taskIds.iterator().next();
    assertThat(Recording.of(client, taskId).status().exitCode()).isZero();
    sandbox.killDaemon();
    sandbox.serve();
    assertThat(client.spawn(task, "one-key")).isEqualTo(taskId);
    assertThatThrownBy(() -> client.spawn(NewTask.shell("echo other"), "one-key"))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> assertThat(it.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT));
    checkRanOnce(ran);
  }

  @Test
  void parallel_spawns_with_one_key_make_one_task_while_the_daemon_dies_among_them()
      throws Exception {
    var ran = sandbox.folder().resolve("ran-among");
    var task = once(ran, "among");
    sandbox.killDaemon();
    var dying = sandbox.serveWithFailpoints("daemon.accepted=kill");
    var taskIds = new HashSet<TaskId>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<TaskId>>();
      for (var call : calls(_ -> client.spawn(task, "key-among"))) {
        calls.add(callers.submit(call));
      }
      assertThat(dying.waitFor(Sandbox.PATIENCE)).isTrue();
      sandbox.serve();
      for (var call : calls) {
        taskIds.add(call.get());
      }
    }

    assertThat(taskIds).hasSize(1);
    assertThat(client.waitEnd(taskIds.iterator().next(), Sandbox.PATIENCE).exitCode()).isZero();
    checkRanOnce(ran);
  }

  @Test
  void of_parallel_spawns_that_differ_one_wins_and_the_others_are_told_of_the_conflict()
      throws Exception {
    var ran = sandbox.folder().resolve("ran-differ");
    var won = new HashSet<TaskId>();
    var codes = new ArrayList<ErrorCode>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = calls(it -> client.spawn(once(ran, "differ-" + it), "key-differ"));
      for (var call : callers.invokeAll(calls)) {
        try {
          won.add(call.get());
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(ErrandException.class);
          codes.add(((ErrandException) e.getCause()).code());
        }
      }
    }

    assertThat(won).hasSize(1);
    assertThat(codes).hasSize(CALLERS - 1).containsOnly(ErrorCode.IDEMPOTENCY_CONFLICT);
    assertThat(client.waitEnd(won.iterator().next(), Sandbox.PATIENCE).exitCode()).isZero();
    checkRanOnce(ran);
  }

  private static List<Callable<TaskId>> calls(Storm.Work<TaskId> work) {
    return IntStream.range(0, CALLERS)
        .<Callable<TaskId>>mapToObj(it -> () -> work.run(it))
        .toList();
  }

  private static NewTask once(Path ran, String label) {
    return NewTask.shell("echo once >>'" + ran + "'").label(label);
  }

  /** By what it did, and by what the daemon knows. */
  private static void checkRanOnce(Path ran) throws IOException {
    assertThat(Files.readAllLines(ran)).containsExactly("once");
    assertThat(client.list(TaskFilter.ALL).tasks())
        .filteredOn(it -> it.command().contains("'" + ran + "'"))
        .hasSize(1);
  }
}
