package dev.errand.bench;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** No-op tasks over HTTP to their end, against a bare loop that starts the same program. */
final class NoOpBench implements Bench {
  private static final int CLIENTS = 8;
  private static final int ROUNDS = 3;

  /** Until the compilers of daemon and host are nearly done. */
  private static final int WARM_UP = 10_000;

  private static final int TASKS = 3_000;
  private static final double REFERENCE_SECONDS = 1.5;
  private static final double LEAST = 0.5;

  @Override
  public String what() {
    return "no-op tasks by 8 clients over HTTP, run to the end, against a bare posix_spawn loop";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("")) {
      var loop = BareSpawn.compile(rig.folder());
      var one = new double[ROUNDS];
      var two = new double[ROUNDS];
      var java = new double[ROUNDS];
      var errand = new double[ROUNDS];
      var waited = new double[ROUNDS];
      tasks(rig, WARM_UP, false);
      for (var i = 0; i < ROUNDS; i++) {
        one[i] = loop.isPresent() ? BareSpawn.inC(loop.get(), 1, REFERENCE_SECONDS) : 0;
        two[i] = loop.isPresent() ? BareSpawn.inC(loop.get(), 2, REFERENCE_SECONDS) : 0;
        java[i] = BareSpawn.inJava(REFERENCE_SECONDS);
        errand[i] = tasks(rig, TASKS, false);
        waited[i] = tasks(rig, TASKS / 2, true);
      }
      var reference = loop.isPresent() ? Report.median(one) : Report.median(java);
      report.figure("reference: loop in C, 1 thread", Report.median(one), "/s");
      report.figure("reference: loop in C, 2 threads", Report.median(two), "/s");
      report.figure("reference: loop in Java, 1 thread", Report.median(java), "/s");
      report.atLeast("errand, 8 clients", Report.median(errand), "/s", reference, LEAST);
      report.atLeast(
          "errand, 8 clients that wait for each end", Report.median(waited), "/s", reference, 0);
      if (loop.isPresent()) {
        report.note(
            "against the loop on both cores: %.2f"
                .formatted(Report.median(errand) / Report.median(two)));
      }
    }
  }

  /** So many tasks each second, from the first request to the last end. */
  private static double tasks(Rig rig, int count, boolean wait)
      throws IOException, InterruptedException, ExecutionException {
    var begin = System.nanoTime();
    try (var clients = Executors.newFixedThreadPool(CLIENTS);
        var client = rig.client()) {
      var work = new ArrayList<Callable<Integer>>();
      for (var i = 0; i < CLIENTS; i++) {
        work.add(() -> spawn(rig, count / CLIENTS, wait));
      }
      var spawned = 0;
      for (var done : clients.invokeAll(work)) {
        spawned += done.get();
      }
      rig.awaitQuiet(client);
      return spawned / ((System.nanoTime() - begin) / 1e9);
    }
  }

  private static int spawn(Rig rig, int count, boolean wait) {
    var noOp = NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/");
    try (var client = rig.client()) {
      for (var i = 0; i < count; i++) {
        var taskId = client.spawn(noOp);
        if (wait) {
          client.waitEnd(taskId, Waits.LONG);
        }
      }
    }
    return count;
  }
}
