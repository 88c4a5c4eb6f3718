package dev.errand.bench;

import dev.errand.daemon.store.Durability;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import java.io.IOException;
import java.util.List;

/** What a long history costs: the same requests beside few and beside very many ended tasks. */
final class EndedBench implements Bench {
  private static final int FEW = 100;
  private static final int LOADED_AT_ONCE = 1_000;
  private static final int ROUNDS = 5;
  private static final int REQUESTS = 300;
  private static final double TIMES_MAX = 1.5;
  private static final double START_SECONDS_MAX = 5;

  private final int many;

  EndedBench(int many) {
    this.many = many;
  }

  @Override
  public String what() {
    return "spawn, a page of 50 and the start beside %,d ended tasks, against 100".formatted(many);
  }

  @Override
  public void run(Report report) throws Exception {
    try (var few = loaded(FEW);
        var much = loaded(many)) {
      var fewStart = seconds(few);
      var manyStart = seconds(much);
      report.figure("reference: start with 100 ended tasks", fewStart, "s");
      report.below("start with %,d ended tasks".formatted(many), manyStart, "s", START_SECONDS_MAX);
      try (var fewClient = few.client();
          var manyClient = much.client()) {
        compare(report, "spawn", fewClient, manyClient, EndedBench::spawn);
        compare(report, "page of 50", fewClient, manyClient, EndedBench::page);
        few.awaitQuiet(fewClient);
        much.awaitQuiet(manyClient);
      }
      memory(report, few, much);
    }
  }

  private static Rig loaded(int count) throws IOException {
    var rig = Rig.prepare("");
    try (var ledger = new Ledger(rig.home().database(), Durability.NORMAL)) {
      for (var left = count; left > 0; left -= LOADED_AT_ONCE) {
        ledger.ended(Math.min(left, LOADED_AT_ONCE));
      }
    }
    return rig;
  }

  private static double seconds(Rig rig) throws IOException, InterruptedException {
    // Installs the build first, which is paid once and not by each start.
    rig.errand("version");
    var begin = System.nanoTime();
    rig.errand("up");
    return (System.nanoTime() - begin) / 1e9;
  }

  private interface Step {
    void on(ErrandClient client);
  }

  private static void spawn(ErrandClient client) {
    client.spawn(NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/"));
  }

  private static void page(ErrandClient client) {
    client.list(TaskFilter.ALL.limit(50));
  }

  /** Both in turns, so that what disturbs the one disturbs the other. */
  private void compare(Report report, String name, ErrandClient few, ErrandClient many, Step step) {
    var fewTimes = new Percentiles();
    var manyTimes = new Percentiles();
    times(few, step);
    times(many, step);
    for (var i = 0; i < ROUNDS; i++) {
      fewTimes.addAll(times(few, step));
      manyTimes.addAll(times(many, step));
    }
    report.figure("reference: " + name + " beside 100 ended tasks, p50", fewTimes.p50(), "ms");
    report.atMostTimes(
        "%s beside %,d ended tasks, p50".formatted(name, this.many),
        manyTimes.p50(),
        "ms",
        fewTimes.p50(),
        TIMES_MAX);
  }

  private static Percentiles times(ErrandClient client, Step step) {
    var times = new Percentiles();
    for (var i = 0; i < REQUESTS; i++) {
      var begin = System.nanoTime();
      step.on(client);
      times.add(System.nanoTime() - begin);
    }
    return times;
  }

  private void memory(Report report, Rig few, Rig much) throws IOException, InterruptedException {
    Memory.collect(few.daemonPid());
    Memory.collect(much.daemonPid());
    var more = Memory.pssKib(much.daemonPid()) - Memory.pssKib(few.daemonPid());
    var heap = Memory.heapKib(much.daemonPid()) - Memory.heapKib(few.daemonPid());
    report.figure("memory of the daemon per ended task", more * 1024.0 / (many - FEW), "B");
    report.figure("  of it live heap", heap * 1024.0 / (many - FEW), "B");
  }
}
