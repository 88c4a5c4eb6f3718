package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One key is one task, however often and from wherever it is asked for. */
@Timeout(120)
final class IdempotencyTest {
  private static final int CALLERS = 100;
  private static final String KEY = "the-one-key";

  @Test
  void parallel_spawns_with_one_key_make_one_task_also_across_a_kill() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      var ran = sandbox.folder().resolve("ran");
      var task = NewTask.shell("echo once >>'" + ran + "'");
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var calls =
            IntStream.range(0, CALLERS)
                .mapToObj(_ -> threads.submit(() -> client.spawn(task, KEY)))
                .toList();
        var taskIds = new HashSet<TaskId>();
        for (var call : calls) {
          taskIds.add(call.get());
        }

        assertThat(taskIds).hasSize(1);
        var taskId = taskIds.iterator().next();
        assertThat(Recording.of(client, taskId).status().exitCode()).isZero();

        sandbox.killDaemon();
        sandbox.serve();
        assertThat(client.spawn(task, KEY)).isEqualTo(taskId);
        assertThatThrownBy(() -> client.spawn(NewTask.shell("echo other"), KEY))
            .isInstanceOfSatisfying(
                ErrandException.class,
                it -> assertThat(it.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(client.list(TaskFilter.ALL).tasks()).hasSize(1);
        assertThat(Files.readAllLines(ran)).containsExactly("once");
      }
    }
  }
}
