package dev.errand.daemon.store.sqlite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The jobs that wait to be committed, and whose turn it is to do that. Each caller waits for its
 * one job, so the number of callers bounds the queue.
 *
 * <p>There is no thread of its own behind it: the first who comes leads, which means that it takes
 * all jobs and does them, its own among them; those who come meanwhile wait, and the first of them
 * leads next. So a caller who is alone waits for nobody, and a hundred share one commit.
 */
final class WriteJobQueue {
  /** Bounds one transaction: how long its callers wait, and what the page cache must hold. */
  private static final int GROUP_JOBS_MAX = 512;

  private static final long GROUP_BYTES_MAX = 8 << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<WriteJob<?>> waiting = new ArrayDeque<>();
  private boolean led;
  private boolean closed;

  /** False once the queue is closed: nobody will do the job. */
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

  /** All that waits, as far as one transaction goes; for the leader, whose job is the first. */
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

  /** The leader has done its group; true if it was the last one, and the queue is closed. */
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

  /** Takes no more; true if nobody leads any more. What waits is still done by those who wait. */
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
