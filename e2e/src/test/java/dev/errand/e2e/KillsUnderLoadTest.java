package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon is killed at random moments while clients go on asking for tasks. */
@Timeout(180)
final class KillsUnderLoadTest {
  private static final long SEED = 20_260_301;
  private static final int KILLS = 8;
  private static final int CALLERS = 3;
  private static final int BETWEEN_KILLS_MS_MAX = 500;

  /** What was acknowledged: the task that a key got. */
  private final Map<String, TaskId> acknowledged = new ConcurrentHashMap<>();

  private final CountDownLatch enough = new CountDownLatch(1);

  @Test
  void every_acknowledged_task_is_known_and_ran_exactly_once() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var ran = Files.createFile(sandbox.folder().resolve("ran"));
      sandbox.serve();
      try (var client = sandbox.client();
          var callers = Executors.newVirtualThreadPerTaskExecutor()) {
        var calls =
            IntStream.range(0, CALLERS)
                .mapToObj(caller -> callers.submit(() -> call(client, "caller-" + caller, ran)))
                .toList();
        killAgainAndAgain(sandbox);
        enough.countDown();
        for (var call : calls) {
          call.get();
        }
        check(client, ran);
      }
    }
  }

  /** Seeded, so that a failure can be looked at again with about the same moments. */
  private static void killAgainAndAgain(Sandbox sandbox) throws IOException, InterruptedException {
    var random = new Random(SEED);
    for (var i = 0; i < KILLS; i++) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(BETWEEN_KILLS_MS_MAX));
      sandbox.killDaemon();
      sandbox.serve();
    }
  }

  private boolean call(ErrandClient client, String name, Path ran) throws InterruptedException {
    for (var i = 0; !enough.await(30, TimeUnit.MILLISECONDS); i++) {
      var key = name + "-" + i;
      var line =
          "echo %s >>'%s'; echo begun; sleep 0.1; echo %s; exit %d".formatted(key, ran, key, i % 5);
      acknowledged.put(key, client.spawn(NewTask.shell(line).label(key), key));
    }
    return true;
  }

  private void check(ErrandClient client, Path ran) throws IOException {
    assertThat(acknowledged).hasSizeGreaterThan(KILLS);
    acknowledged.forEach((key, taskId) -> {
      var recording = Recording.of(client, taskId);
      assertThat(recording.status().label()).isEqualTo(key);
      assertThat(recording.status().attempt()).isOne();
      assertThat(recording.status().exitCode())
          .isEqualTo(Integer.parseInt(key.substring(key.lastIndexOf('-') + 1)) % 5);
      assertThat(recording.stdout().text()).isEqualTo("begun\n" + key + "\n");
    });
    assertThat(Files.readAllLines(ran)).containsExactlyInAnyOrderElementsOf(acknowledged.keySet());
    assertThat(client.list(TaskFilter.ALL.limit(1_000)).tasks())
        .extracting(TaskStatus::taskId)
        .containsExactlyInAnyOrderElementsOf(acknowledged.values());
  }
}
