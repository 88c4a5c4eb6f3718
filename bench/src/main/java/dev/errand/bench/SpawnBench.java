package dev.errand.bench;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** How soon one client has its answer, and how soon a subscriber has the first output. */
final class SpawnBench implements Bench {
  /** Until the compilers of daemon and host are nearly done. */
  private static final int WARM_UP = 10_000;

  private static final int TASKS = 2_000;
  private static final int OUTPUTS = 1_000;
  private static final int OUTPUT_WARM_UP_ROUNDS = 4;
  private static final double ACK_P50_MS = 1;
  private static final double ACK_P99_MS = 5;
  private static final double OUTPUT_P50_MS = 4;

  @Override
  public String what() {
    return "spawn acknowledged at one client, and spawn to the first output at a subscriber";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      spawn(client, WARM_UP, true);
      rig.awaitQuiet(client);
      var sync = DiskSync.measure(rig.folder(), 500);
      report.figure("reference: append of 300 B and fdatasync, p50", sync.p50(), "ms");
      report.figure("reference: append of 300 B and fdatasync, p99", sync.p99(), "ms");
      var calm = spawn(client, TASKS, true);
      report.below("spawn acknowledged, p50", calm.p50(), "ms", ACK_P50_MS);
      report.below("spawn acknowledged, p99", calm.p99(), "ms", ACK_P99_MS);
      var dense = spawn(client, TASKS, false);
      report.figure("the same without a pause between tasks, p50", dense.p50(), "ms");
      report.figure("the same without a pause between tasks, p99", dense.p99(), "ms");
      rig.awaitQuiet(client);
      for (var i = 0; i < OUTPUT_WARM_UP_ROUNDS; i++) {
        firstOutput(client);
      }
      var own = firstOutput(client);
      report.below("spawn to first output, p50", own.p50(), "ms", OUTPUT_P50_MS);
      report.figure("spawn to first output, p99", own.p99(), "ms");
      var all = firstOutputOfAll(rig, client);
      report.below("the same for a subscriber of all tasks, p50", all.p50(), "ms", OUTPUT_P50_MS);
      report.figure("the same for a subscriber of all tasks, p99", all.p99(), "ms");
    }
  }

  private static Percentiles spawn(ErrandClient client, int count, boolean calm) {
    var noOp = NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/");
    var times = new Percentiles();
    for (var i = 0; i < count; i++) {
      var begin = System.nanoTime();
      var taskId = client.spawn(noOp);
      times.add(System.nanoTime() - begin);
      if (calm) {
        client.waitEnd(taskId, Waits.LONG);
      }
    }
    return times;
  }

  private static NewTask speaking() {
    return NewTask.program(List.of("/bin/echo", "here")).cwd("/");
  }

  /** From the request on, with a subscription that follows the answer. */
  private static Percentiles firstOutput(ErrandClient client) {
    var times = new Percentiles();
    for (var i = 0; i < OUTPUTS; i++) {
      var begin = System.nanoTime();
      var taskId = client.spawn(speaking());
      try (var events = client.events(taskId, -1)) {
        for (var frame = events.next(); frame != null; frame = events.next()) {
          if (frame.type().equals(FrameType.OUTPUT_DELTA)) {
            times.add(System.nanoTime() - begin);
          }
        }
      }
    }
    return times;
  }

  /** From the request on, at someone who was there before it. */
  private static Percentiles firstOutputOfAll(Rig rig, ErrandClient client)
      throws InterruptedException {
    var seen = new ConcurrentHashMap<TaskId, Long>();
    var ready = new CountDownLatch(1);
    var listening = Thread.ofPlatform().daemon().start(() -> listen(rig, seen, ready));
    ready.await();
    var times = new Percentiles();
    for (var i = 0; i < OUTPUTS; i++) {
      var begin = System.nanoTime();
      var taskId = client.spawn(speaking());
      client.waitEnd(taskId, Waits.LONG);
      var at = awaitSeen(seen, taskId);
      times.add(at - begin);
    }
    listening.interrupt();
    return times;
  }

  private static long awaitSeen(Map<TaskId, Long> seen, TaskId taskId) throws InterruptedException {
    @Nullable Long at = seen.get(taskId);
    while (at == null) {
      Thread.sleep(1);
      at = seen.get(taskId);
    }
    return at;
  }

  private static void listen(Rig rig, Map<TaskId, Long> seen, CountDownLatch ready) {
    try (var client = rig.client()) {
      String cursor = null;
      try (var history = client.allHistory(null)) {
        for (var frame = history.next(); frame != null; frame = history.next()) {
          cursor = frame.id();
        }
      }
      ready.countDown();
      try (var events = client.allEvents(cursor)) {
        for (var frame = events.next(); frame != null; frame = events.next()) {
          var taskId = frame.taskId();
          if (taskId != null && frame.type().equals(FrameType.OUTPUT_DELTA)) {
            seen.putIfAbsent(taskId, System.nanoTime());
          }
        }
      }
    } catch (CancellationException e) {
      // Enough was heard.
      return;
    }
  }
}
