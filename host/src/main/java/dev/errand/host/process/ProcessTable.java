package dev.errand.host.process;

import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads all processes of the machine, and lets concurrent callers share a scan: a thousand tasks
 * that are killed together do not make a thousand scans of /proc.
 */
final class ProcessTable {
  private static final long KERNEL_THREADS_PARENT = 2;

  /** Numbers requests and scans in the order in which they start. */
  private final AtomicLong order = new AtomicLong();

  private Snapshot last = new Snapshot(0, List.of());

  /** All processes as they were at some moment after the scan started. */
  private record Snapshot(long began, List<Row> rows) {}

  /**
   * One process.
   *
   * @param tag the mark of an attempt, 0 if there is none
   * @param taskId the task in its environment, empty if there is none
   */
  record Row(ProcFs.Stat stat, long tag, String taskId) {}

  /** A scan that starts after this call; it throws rather than leave a process out. */
  List<Row> seenFromNow() throws IOException {
    return seenAfter(order.incrementAndGet());
  }

  private synchronized List<Row> seenAfter(long asked) throws IOException {
    if (last.began() < asked) {
      last = look();
    }
    return last.rows();
  }

  private Snapshot look() throws IOException {
    var began = order.incrementAndGet();
    var rows = new ArrayList<Row>();
    for (var pid : ProcFs.pids()) {
      var stat = ProcFs.look(pid);
      if (stat.isPresent() && stat.get().parent() != KERNEL_THREADS_PARENT) {
        rows.add(row(stat.get()));
      }
    }
    return new Snapshot(began, rows);
  }

  static Row row(ProcFs.Stat stat) throws IOException {
    var heritage = ProcFs.heritage(stat.pid(), ChildEnvironment.TASK_ID);
    return new Row(stat, Tag.of(heritage.realtime().soft()), heritage.variable().orElse(""));
  }
}
