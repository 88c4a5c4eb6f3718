package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that wait for their turn, on the real daemon and through its death. */
@Timeout(180)
final class LanesTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int SESSIONS = 10;
  private static final int LANES = 4;
  private static final int PER_LANE = 25;

  /** By session and lane, in the order in which their spawns were acknowledged. */
  private final Map<String, List<TaskId>> spawned = new ConcurrentHashMap<>();

  @Test
  void never_two_of_a_lane_run_and_their_order_is_kept_through_failures_cancels_and_kills()
      throws Exception {
    try (var sandbox = Sandbox.create("durability = \"normal\"\n")) {
      sandbox.serve();
      try (var client = sandbox.client();
          var callers = Executors.newVirtualThreadPerTaskExecutor()) {
        var calls =
            IntStream.range(0, SESSIONS)
                .mapToObj(session -> callers.submit(() -> call(client, "s" + session)))
                .toList();
        sandbox.killDaemon();
        sandbox.serve();
        for (var call : calls) {
          call.get();
        }
        sandbox.killDaemon();
        sandbox.serve();
        awaitAll(client);
        check(all(client));
      }
    }
  }

  /** Some fail, and some are cancelled, whether they run or wait. */
  private boolean call(ErrandClient client, String session) {
    for (var i = 0; i < LANES * PER_LANE; i++) {
      var lane = "lane" + i % LANES;
      var task = NewTask.shell("exit " + (i % 7 == 0 ? 3 : 0)).cwd("/").session(session).lane(lane);
      var taskId = client.spawn(task);
      spawned.computeIfAbsent(session + " " + lane, _ -> new ArrayList<>()).add(taskId);
      if (i % 13 == 0) {
        client.cancel(taskId, "not this one", null);
      }
    }
    return true;
  }

  private void awaitAll(ErrandClient client) {
    spawned
        .values()
        .forEach(lane -> {
          for (var taskId : lane) {
            assertThat(client.waitEnd(taskId, LONG).isEnded()).isTrue();
          }
        });
  }

  private static Map<TaskId, TaskStatus> all(ErrandClient client) {
    var all = new TreeMap<TaskId, TaskStatus>();
    var page = client.list(TaskFilter.ALL.limit(1_000));
    page.tasks().forEach(it -> all.put(it.taskId(), it));
    while (page.next() != null) {
      page = client.next(page).orElseThrow();
      page.tasks().forEach(it -> all.put(it.taskId(), it));
    }
    return all;
  }

  private void check(Map<TaskId, TaskStatus> all) {
    assertThat(all).hasSize(SESSIONS * LANES * PER_LANE);
    spawned.forEach((name, lane) -> {
      assertThat(lane).as(name).hasSize(PER_LANE);
      var started =
          lane.stream()
              .map(it -> Objects.requireNonNull(all.get(it)))
              .filter(it -> it.startedAt() != null)
              .toList();
      for (var i = 1; i < started.size(); i++) {
        var before = Objects.requireNonNull(started.get(i - 1).endedAt());
        assertThat(started.get(i).startedAt()).as(name).isAfterOrEqualTo(before);
      }
    });
    assertThat(all.values()).allMatch(it -> it.attempt() <= 1);
    var ends = all.values().stream().collect(Collectors.groupingBy(TaskStatus::status));
    assertThat(ends.keySet()).isSubsetOf("exited", "cancelled");
  }
}
