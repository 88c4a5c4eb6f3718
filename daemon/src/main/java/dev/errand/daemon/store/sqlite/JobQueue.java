package dev.errand.daemon.store.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The jobs that wait for the writer. Each caller waits for its one job, so the number of callers
 * bounds the queue.
 */
final class JobQueue {
  /** Bounds one transaction: how long its callers wait, and what the page cache must hold. */
  private static final int GROUP_JOBS_MAX = 512;

  private static final long GROUP_BYTES_MAX = 8 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Job<?>> waiting = new ArrayDeque<>();
  private boolean closed;

  /** False once the queue is closed: nobody will do the job. */
  boolean offer(Job<?> job) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.add(job);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All that waits, as far as one transaction goes; empty once closed and nothing is left. */
  List<Job<?>> take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      var group = new ArrayList<Job<?>>();
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

  /** Takes no more; what already waits can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
