package dev.errand.e2e;

import static dev.errand.e2e.Storm.TIMES;
import static dev.errand.e2e.Storm.often;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two things that end a task at the same moment: it has one end, and that is true. */
@Timeout(1_800)
@DaemonCase.Settings("durability = \"normal\"\n")
final class RacesTest extends DaemonCase {
  private static final int RACES = 200 * TIMES;

  /** These take a second each, so that {@code make torture} alone has a thousand. */
  private static final int TIMEOUT_RACES = TIMES > 1 ? 100 * TIMES : 20;

  /** The same for stops of the daemon, of which each meets some cancels. */
  private static final int STOPS = TIMES > 1 ? 5 * TIMES : 2;

  private static final int CANCELS_PER_STOP = 20;
  private static final int SPREAD_MILLIS = 60;

  @Test
  void a_cancel_that_races_with_the_exit_has_one_end_that_is_true() throws Exception {
    var ends =
        often(
            RACES,
            number -> {
              var random = new Random(number);
              var line = "sleep 0.0%d; exit 3".formatted(random.nextInt(10, 60));
              var taskId = client.spawn(NewTask.shell(line));
              TimeUnit.MILLISECONDS.sleep(random.nextInt(0, 70));
              client.cancel(taskId, "race", null);
              return checkOneEnd(taskId);
            });

    assertThat(ends).as("both won at times").contains("cancelled", "exited");
  }

  @Test
  void a_cancel_that_races_with_the_timeout_has_one_end_that_is_true() throws Exception {
    var ends =
        often(
            TIMEOUT_RACES,
            number -> {
              var task = NewTask.shell("sleep 100").timeout(Duration.ofSeconds(1));
              var taskId = client.spawn(task);
              TimeUnit.MILLISECONDS.sleep(aroundTheSecond(number));
              client.cancel(taskId, "race", null);
              return checkOneEnd(taskId);
            });

    assertThat(ends).as("both won at times").contains("cancelled", "failed");
  }

  @Test
  void an_exit_that_races_with_the_timeout_has_one_end_that_is_true() throws Exception {
    var ends =
        often(
            TIMEOUT_RACES,
            number -> {
              var line = "sleep %.3f; exit 3".formatted(aroundTheSecond(number) / 1_000.0);
              return checkOneEnd(client.spawn(NewTask.shell(line).timeout(Duration.ofSeconds(1))));
            });

    assertThat(ends).as("both won at times").contains("exited", "failed");
  }

  /** Close to a second, but for the first two: of those it is certain who wins. */
  private static int aroundTheSecond(int number) {
    return switch (number) {
      case 0 -> 100;
      case 1 -> 3_000;
      default -> new Random(number).nextInt(950, 1_050);
    };
  }

  @Test
  void a_cancel_that_races_with_the_start_leaves_no_process() throws Exception {
    var ran = Files.createFile(sandbox.folder().resolve("raced"));
    often(
        RACES,
        _ -> {
          var line = "echo $ERRAND_TASK_ID >>'%s'; sleep 100".formatted(ran);
          var taskId = client.spawn(NewTask.shell(line));
          client.cancel(taskId, "race", null);
          assertThat(checkOneEnd(taskId)).isEqualTo("cancelled");
          var pid = client.status(taskId).pid();
          assertThat(pid == null || !Sandbox.isAlive(pid)).isTrue();
          return true;
        });
    assertThat(Files.readAllLines(ran)).doesNotHaveDuplicates();
  }

  /** One terminal frame, and status, code and signal that belong together. */
  private static String checkOneEnd(TaskId taskId) {
    var status = Recording.of(client, taskId).status();
    switch (status.status()) {
      case "exited" -> assertThat(status.exitCode()).isEqualTo(3);
      case "cancelled" -> assertThat(status.isCancelRequested()).isTrue();
      case "failed" -> assertThat(status.error()).isEqualTo("timeout");
      default -> throw new AssertionError(status.text());
    }
    return status.status();
  }

  @Test
  void a_cancel_that_races_with_a_stop_is_done_once_by_this_daemon_or_the_next() throws Exception {
    for (var stop = 0; stop < STOPS; stop++) {
      var random = new Random(stop);
      var tasks = new ArrayList<TaskId>();
      for (var i = 0; i < CANCELS_PER_STOP; i++) {
        tasks.add(client.spawn(NewTask.shell("sleep 100")));
      }
      var cancels = new ArrayList<Future<?>>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        tasks.forEach(it -> {
          var pause = random.nextInt(SPREAD_MILLIS);
          cancels.add(threads.submit(() -> cancel(it, pause)));
        });
        TimeUnit.MILLISECONDS.sleep(random.nextInt(SPREAD_MILLIS));
        sandbox.stopDaemon();
        sandbox.serve();
      }
      for (var each : cancels) {
        each.get();
      }
      tasks.forEach(RacesTest::checkCancelled);
    }
  }

  /** The client repeats what nobody answered, under the same key. */
  private static void cancel(TaskId taskId, int pauseMillis) {
    try {
      TimeUnit.MILLISECONDS.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.cancel(taskId, "race", null);
  }

  private static void checkCancelled(TaskId taskId) {
    var recording = Recording.of(client, taskId);
    assertThat(recording.status().status()).isEqualTo("cancelled");
    assertThat(recording.types()).containsOnlyOnce(FrameType.CANCEL_REQUESTED);
    var pid = recording.status().pid();
    assertThat(pid == null || !Sandbox.isAlive(pid)).isTrue();
  }
}
