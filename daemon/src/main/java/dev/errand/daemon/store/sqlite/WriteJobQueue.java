package dev.errand.daemon.store.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The jobs that wait for a commit, and the leader that runs them. Each caller waits for its own
 * job, so the number of callers limits the queue.
 *
 * <p>There is no separate thread: the first caller becomes the leader, which runs all waiting jobs,
 * its own included. Callers that come meanwhile wait, and the first of them leads next. So a single
 * caller does not wait, and a hundred callers share one commit.
 */
final class WriteJobQueue {
  /** Limits one transaction, and so the wait of its callers and the page cache. */
  private static final int GROUP_JOBS_MAX = 512;

  private static final long GROUP_BYTES_MAX = 8 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<WriteJob<?>> waiting = new ArrayDeque<>();
  private boolean led;
  private boolean closed;

  /** False once the queue is closed: the job will not run. */
  boolean offer(WriteJob<?> job) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.add(job);
      if (!led) {
        led = true;
        job.lead();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The waiting jobs for one transaction; for the leader, whose job is the first. */
  List<WriteJob<?>> take() {
    lock.lock();
    try {
      var group = new ArrayList<WriteJob<?>>();
      var bytes = 0L;
      while (!waiting.isEmpty() && group.size() < GROUP_JOBS_MAX && bytes < GROUP_BYTES_MAX) {
        var job = waiting.remove();
        bytes += job.bytes();
        group.add(job);
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** The leader has finished its group; true if it was the last one and the queue is closed. */
  boolean pass() {
    lock.lock();
    try {
      var next = waiting.peek();
      if (next != null) {
        next.lead();
        return false;
      }
      led = false;
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts no more jobs; true if there is no leader. Waiting jobs are still run by their callers.
   */
  boolean close() {
    lock.lock();
    try {
      var first = !closed;
      closed = true;
      return first && !led;
    } finally {
      lock.unlock();
    }
  }
}
