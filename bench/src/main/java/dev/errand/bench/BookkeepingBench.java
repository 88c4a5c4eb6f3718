package dev.errand.bench;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.Preview;
import dev.errand.daemon.store.Durability;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** What recording costs: a no-op task, and an output frame, in the engine and its journal alone. */
final class BookkeepingBench implements Bench {
  private static final int TASKS = 2_000;
  private static final int THREADS = 8;
  private static final int FRAMES = 20_000;
  private static final int FRAMES_AT_ONCE = 100;
  private static final int RANGE_BYTES = 64 << 10;

  @Override
  public String what() {
    return "bookkeeping of a no-op task and of an output frame: engine and journal, full durability";
  }

  @Override
  public void run(Report report) throws Exception {
    var folder = Files.createTempDirectory("errand-bench");
    try (var ledger = new Ledger(folder.resolve("errand.db"), Durability.FULL)) {
      var sync = DiskSync.measure(folder, 1_000);
      report.figure("reference: append of 300 B and fdatasync, p50", sync.p50() * 1_000, "us");
      tasks(ledger, TASKS);
      report.figure("a task, 2 commits, one thread", micros(ledger, 1), "us");
      report.figure("a task, 2 commits, 8 threads", micros(ledger, THREADS), "us");
      frames(report, ledger, "with 20 bytes of output", "x".repeat(19) + "\n");
      frames(report, ledger, "with 8 KiB of preview", ("x".repeat(79) + "\n").repeat(110));
    }
    Programs.run("rm", "-r", folder.toString());
  }

  private static void tasks(Ledger ledger, int count) {
    for (var i = 0; i < count; i++) {
      ledger.report(ledger.spawn(), List.of(Ledger.started(), Ledger.exited(2)));
    }
  }

  /** Time per task as seen from outside: the time of all, divided by their number. */
  private static double micros(Ledger ledger, int threads) throws Exception {
    var begin = System.nanoTime();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      var work = new ArrayList<Callable<Boolean>>();
      for (var i = 0; i < threads; i++) {
        work.add(() -> {
          tasks(ledger, TASKS / threads);
          return true;
        });
      }
      for (var done : pool.invokeAll(work)) {
        done.get();
      }
    }
    return (System.nanoTime() - begin) / 1e3 / TASKS;
  }

  private static void frames(Report report, Ledger ledger, String which, String text) {
    var preview = Preview.of(text.getBytes(StandardCharsets.UTF_8), RANGE_BYTES);
    var taskId = ledger.spawn();
    ledger.report(taskId, List.of(Ledger.started()));
    var begin = System.nanoTime();
    for (var from = 0; from < FRAMES; from += FRAMES_AT_ONCE) {
      var facts = new ArrayList<HostFact>();
      for (var i = from; i < from + FRAMES_AT_ONCE; i++) {
        facts.add(Ledger.output(i + 2L, (long) i * RANGE_BYTES, preview, RANGE_BYTES));
      }
      ledger.report(taskId, facts);
    }
    var each = (System.nanoTime() - begin) / 1e3 / FRAMES;
    report.figure("an output frame " + which + ", 100 in a commit", each, "us");
  }
}
