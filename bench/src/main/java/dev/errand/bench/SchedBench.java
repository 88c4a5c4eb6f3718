package dev.errand.bench;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * Tasks that wait in the queue of many sessions behind one that holds them all up, from its end to
 * the last of theirs, against a bare loop that starts the same program.
 */
final class SchedBench implements Bench {
  private static final int CLIENTS = 8;
  private static final int SESSIONS = 100;
  private static final int TASKS = 10_000;
  private static final int WARM_UP = 2_000;
  private static final double REFERENCE_SECONDS = 1.5;

  @Override
  public String what() {
    return "10,000 queued no-op tasks over 100 sessions, against a bare posix_spawn loop";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("[tasks]\nmax_running_commands = 200\n")) {
      var loop = BareSpawn.compile(rig.folder());
      queued(rig, WARM_UP, false);
      var reference =
          loop.isPresent()
              ? BareSpawn.inC(loop.get(), 1, REFERENCE_SECONDS)
              : BareSpawn.inJava(REFERENCE_SECONDS);
      report.figure("reference: loop, 1 thread", reference, "/s");
      measure(report, "no lanes", queued(rig, TASKS, false), reference);
      measure(report, "one lane a session", queued(rig, TASKS, true), reference);
    }
  }

  private static void measure(Report report, String name, double perSecond, double reference) {
    report.atLeast("errand, " + name, perSecond, "/s", reference, 0);
    report.figure("beyond the loop, " + name, 1e6 / perSecond - 1e6 / reference, "µs a task");
  }

  /** So many tasks each second, from the moment that they may start to the last end. */
  private static double queued(Rig rig, int count, boolean lanes)
      throws IOException, InterruptedException, ExecutionException {
    try (var clients = Executors.newFixedThreadPool(CLIENTS);
        var client = rig.client()) {
      var gate = client.spawn(NewTask.program(List.of("sleep", "3600")).cwd("/"));
      var work = new ArrayList<Callable<Integer>>();
      for (var i = 0; i < CLIENTS; i++) {
        var first = i;
        work.add(() -> spawn(rig, gate, first, count, lanes));
      }
      for (var done : clients.invokeAll(work)) {
        done.get();
      }
      var begin = System.nanoTime();
      client.cancel(gate, "go", Waits.LONG);
      rig.awaitQuiet(client);
      return count / ((System.nanoTime() - begin) / 1e9);
    }
  }

  private static int spawn(Rig rig, TaskId gate, int first, int count, boolean lanes) {
    try (var client = rig.client()) {
      for (var i = first; i < count; i += CLIENTS) {
        var task =
            NewTask.program(List.of(BareSpawn.NO_OP))
                .cwd("/")
                .session("s" + i % SESSIONS)
                .afterAny(List.of(gate));
        client.spawn(lanes ? task.lane("one") : task);
      }
    }
    return count;
  }
}
