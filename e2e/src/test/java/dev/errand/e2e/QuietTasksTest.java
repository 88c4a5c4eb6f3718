package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many tasks that only wait cost so little that everything else goes on as before. */
@Timeout(180)
final class QuietTasksTest {
  private static final int TASKS = 300;

  @Test
  void the_daemon_answers_beside_300_quiet_tasks_and_ends_them_all() throws Exception {
    try (var sandbox = Sandbox.create("durability = \"normal\"\n")) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        var task = NewTask.program(List.of("sleep", "1000"));
        var taskIds = inParallel(TASKS, _ -> client.spawn(task));
        assertThat(client.list(TaskFilter.ALL.active(true).limit(1_000)).tasks()).hasSize(TASKS);

        for (var taskId : taskIds) {
          assertThat(client.status(taskId).isEnded()).isFalse();
        }
        var another = client.spawn(NewTask.shell("echo another"));
        assertThat(Recording.of(client, another).stdout().text()).isEqualTo("another\n");

        var ends = inParallel(TASKS, i -> client.cancel(taskIds.get(i), "over", Sandbox.PATIENCE));
        assertThat(ends).allSatisfy(it -> assertThat(it.status()).isEqualTo("cancelled"));
        assertThat(client.list(TaskFilter.ALL.active(true)).tasks()).isEmpty();
      }
    }
  }

  private interface Work<T> {
    T at(int index);
  }

  private static <T> List<T> inParallel(int count, Work<T> work) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var futures = new ArrayList<Future<T>>();
      for (var i = 0; i < count; i++) {
        var index = i;
        Callable<T> call = () -> work.at(index);
        futures.add(threads.submit(call));
      }
      var results = new ArrayList<T>();
      for (var future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
