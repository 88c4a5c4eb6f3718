package dev.errand.bench;

import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.io.IOException;
import java.util.List;

/** What an idle running task costs in host and daemon, and what many of them do to the API. */
final class IdleBench implements Bench {
  private static final int WARM_UP = 2_000;
  private static final int REQUESTS = 2_000;
  private static final int[] STEPS = {1_000, 5_000};
  private static final double KIB_MAX = 40;

  /** Two tails of the same thing differ by chance; beyond this it is no chance. */
  private static final double P99_TIMES_MAX = 1.5;

  @Override
  public String what() {
    return "memory of an idle running task in host and daemon, and the API beside many of them";
  }

  /** Proportional set size and live heap of both processes, after collections, in KiB. */
  private record Held(long pss, long heap) {
    static Held of(Rig rig) throws IOException, InterruptedException {
      var pss = 0L;
      var heap = 0L;
      for (var pid : new long[] {rig.daemonPid(), rig.hostPid()}) {
        Memory.collect(pid);
        pss += Memory.pssKib(pid);
        heap += Memory.heapKib(pid);
      }
      return new Held(pss, heap);
    }
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      report.note("method: PSS of daemon and host after three collections each, less that before");
      warmUp(rig, client);
      var before = Held.of(rig);
      var alone = api(client);
      report.figure("reference: status request beside no task, p99", alone.p99(), "ms");
      report.figure(
          "reference: memory of daemon and host without tasks", (double) before.pss(), "KiB");
      var running = 0;
      for (var step : STEPS) {
        start(client, step - running);
        running = step;
        awaitRunning(client, running);
        api(client);
        var held = Held.of(rig);
        var each = (held.pss() - before.pss()) / (double) running;
        report.below("each of %,d idle tasks".formatted(running), each, "KiB", KIB_MAX);
        report.figure("  of it live heap", (held.heap() - before.heap()) / (double) running, "KiB");
        var beside = api(client);
        report.atMostTimes(
            "status request beside %,d tasks, p99".formatted(running),
            beside.p99(),
            "ms",
            alone.p99(),
            P99_TIMES_MAX);
      }
    }
  }

  private static void warmUp(Rig rig, ErrandClient client) throws InterruptedException {
    for (var i = 0; i < WARM_UP; i++) {
      client.spawn(NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/"));
    }
    rig.awaitQuiet(client);
    api(client);
  }

  private static void start(ErrandClient client, int count) {
    var idle = NewTask.program(List.of("/bin/sleep", "100000")).cwd("/");
    for (var i = 0; i < count; i++) {
      client.spawn(idle);
    }
  }

  private static void awaitRunning(ErrandClient client, int count) throws InterruptedException {
    while (running(client) < count) {
      Thread.sleep(50);
    }
  }

  private static int running(ErrandClient client) {
    var count = 0;
    var page = client.list(TaskFilter.ALL.active(true).limit(1_000));
    while (true) {
      count += (int) page.tasks().stream().filter(it -> it.pid() != null).count();
      var next = client.next(page);
      if (next.isEmpty()) {
        return count;
      }
      page = next.get();
    }
  }

  /** Asks for the status of the newest task, again and again. */
  private static Percentiles api(ErrandClient client) {
    var taskId = client.list(TaskFilter.ALL.limit(1)).tasks().getFirst().taskId();
    var times = new Percentiles();
    for (var i = 0; i < REQUESTS; i++) {
      var begin = System.nanoTime();
      client.status(taskId);
      times.add(System.nanoTime() - begin);
    }
    return times;
  }
}
