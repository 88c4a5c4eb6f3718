package dev.errand.host.process;

import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at all processes of the machine, and lets those who ask at the same time share a look: when
 * a thousand tasks are killed together they do not make a thousand passes over /proc.
 */
final class ProcessTable {
  private static final long KERNEL_THREADS_PARENT = 2;

  private Snapshot last = new Snapshot(Long.MIN_VALUE, List.of());
  private boolean looked;

  /** All processes as they were at some moment after the look began. */
  record Snapshot(long beganNanos, List<Row> rows) {}

  /**
   * One process.
   *
   * @param tag the mark of an attempt, 0 without one
   * @param taskId the task in its environment, empty without one
   */
  record Row(ProcFs.Stat stat, long tag, String taskId) {}

  /** A look that began after the given moment. */
  synchronized List<Row> seenAfter(long nanos) throws IOException {
    if (!looked || last.beganNanos() - nanos < 0) {
      last = look();
      looked = true;
    }
    return last.rows();
  }

  private static Snapshot look() throws IOException {
    var began = System.nanoTime();
    var rows = new ArrayList<Row>();
    for (var pid : ProcFs.pids()) {
      ProcFs.stat(pid)
          .filter(it -> it.parent() != KERNEL_THREADS_PARENT)
          .ifPresent(it -> rows.add(row(it)));
    }
    return new Snapshot(began, rows);
  }

  static Row row(ProcFs.Stat stat) {
    return new Row(
        stat,
        Tag.ofProcess(stat.pid()),
        ProcFs.variable(stat.pid(), ChildEnvironment.TASK_ID).orElse(""));
  }
}
