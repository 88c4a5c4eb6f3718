package dev.errand.bench;

import dev.errand.wire.client.NewTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What host and daemon still hold after very many tasks, at intervals. */
final class LongRunBench implements Bench {
  private static final int TASKS = 100_000;
  private static final int INTERVAL = 20_000;
  private static final int CLIENTS = 8;

  /** The host remembers what stands in the segment of its records that is being written. */
  private static final double TIMES_MAX = 1.5;

  @Override
  public String what() {
    return "live heap of host and daemon after each %,d of %,d tasks".formatted(INTERVAL, TASKS);
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("")) {
      report.note("method: three collections, then the live heap as the JVM tells it");
      var heaps = new ArrayList<Long>();
      for (var done = INTERVAL; done <= TASKS; done += INTERVAL) {
        spawn(rig, INTERVAL);
        Memory.collect(rig.hostPid());
        Memory.collect(rig.daemonPid());
        heaps.add(Memory.heapKib(rig.hostPid()));
        report.figure("host after %,d tasks".formatted(done), (double) heaps.getLast(), "KiB");
        report.figure("  daemon", (double) Memory.heapKib(rig.daemonPid()), "KiB");
        report.figure("  descriptors of the host", (double) Memory.descriptors(rig.hostPid()), "");
      }
      var most = heaps.stream().skip(1).mapToLong(Long::longValue).max().orElseThrow();
      report.atMostTimes(
          "most in the host after that, against the first",
          (double) most,
          "KiB",
          (double) heaps.getFirst(),
          TIMES_MAX);
    }
  }

  private static void spawn(Rig rig, int count) throws Exception {
    try (var clients = Executors.newFixedThreadPool(CLIENTS);
        var client = rig.client()) {
      var parts = new ArrayList<Future<?>>();
      for (var i = 0; i < CLIENTS; i++) {
        parts.add(
            clients.submit(() -> {
              for (var j = 0; j < count / CLIENTS; j++) {
                client.spawn(NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/"));
              }
            }));
      }
      for (var part : parts) {
        part.get();
      }
      rig.awaitQuiet(client);
    }
  }
}
