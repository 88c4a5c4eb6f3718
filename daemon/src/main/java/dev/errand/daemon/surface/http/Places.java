package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The places of those who wait: subscribers and long polls. At the limit a newcomer is refused;
 * when the door closes, all who wait are woken by an interrupt and their requests end.
 */
final class Places implements AutoCloseable {
  private final int max;
  private final Semaphore free;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Places(int max) {
    this.max = max;
    this.free = new Semaphore(max);
  }

  /** Takes a place for the calling thread, until it is closed. */
  Place enter() {
    if (!free.tryAcquire()) {
      throw new ErrandException(
          ErrorCode.LIMIT_EXCEEDED,
          "as many as may (" + max + ") follow or wait already; try again later");
    }
    var thread = Thread.currentThread();
    waiting.add(thread);
    if (closed) {
      thread.interrupt();
    }
    return new Place(thread);
  }

  int taken() {
    return waiting.size();
  }

  @Override
  public void close() {
    closed = true;
    waiting.forEach(Thread::interrupt);
  }

  final class Place implements AutoCloseable {
    private final Thread thread;

    private Place(Thread thread) {
      this.thread = thread;
    }

    @Override
    public void close() {
      if (waiting.remove(thread)) {
        free.release();
      }
    }
  }
}
