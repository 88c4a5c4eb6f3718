package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancels that come while the daemon stops: each is done once, by this daemon or by the next. */
@Timeout(600)
final class StopRacesTest {

  /** {@code make torture} stops it more often. */
  private static final int STOPS = 2 * Integer.getInteger("errand.storm_times", 1);

  private static final int TASKS = 20;
  private static final int SPREAD_MILLIS = 60;

  @Test
  void a_cancel_that_races_with_a_stop_is_done_once() throws Exception {
    try (var sandbox = Sandbox.create("durability = \"normal\"\n")) {
      var daemon = sandbox.serve();
      try (var client = sandbox.client()) {
        for (var stop = 0; stop < STOPS; stop++) {
          var random = new Random(stop);
          var tasks = new ArrayList<TaskId>();
          for (var i = 0; i < TASKS; i++) {
            tasks.add(client.spawn(NewTask.shell("sleep 100")));
          }
          var cancels = new ArrayList<Future<?>>();
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            tasks.forEach(it -> {
              var pause = random.nextInt(SPREAD_MILLIS);
              cancels.add(threads.submit(() -> cancel(client, it, pause)));
            });
            TimeUnit.MILLISECONDS.sleep(random.nextInt(SPREAD_MILLIS));
            daemon.destroy();
            assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
            daemon = sandbox.serve();
          }
          for (var each : cancels) {
            each.get();
          }
          tasks.forEach(it -> checkCancelled(client, it));
        }
      }
    }
  }

  /** The client repeats what nobody answered, under the same key. */
  private static void cancel(ErrandClient client, TaskId taskId, int pauseMillis) {
    try {
      TimeUnit.MILLISECONDS.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.cancel(taskId, "race", null);
  }

  private static void checkCancelled(ErrandClient client, TaskId taskId) {
    var recording = Recording.of(client, taskId);
    assertThat(recording.status().status()).isEqualTo("cancelled");
    assertThat(recording.types()).containsOnlyOnce("tool_task_cancel_requested");
    var pid = recording.status().pid();
    assertThat(pid == null || !Sandbox.isAlive(pid)).isTrue();
  }
}
