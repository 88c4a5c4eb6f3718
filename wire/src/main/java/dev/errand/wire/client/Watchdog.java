package dev.errand.wire.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose response is overdue. Reads on a channel have no timeout; only a close
 * ends them. The thread is a daemon thread and starts with the first connection.
 */
final class Watchdog implements AutoCloseable {
  private final Set<HttpConnection> watched = new HashSet<>();
  private @Nullable Thread thread;
  private boolean closed;

  synchronized void watch(HttpConnection connection) {
    watched.add(connection);
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().daemon().name("errand-client-watchdog").start(this::run);
    }
    // Its deadline may be nearer than the one that the thread sleeps for.
    notifyAll();
  }

  synchronized void release(HttpConnection connection) {
    watched.remove(connection);
  }

  private void run() {
    try {
      for (var due = nextDue(); due != null; due = nextDue()) {
        due.forEach(HttpConnection::timeOut);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the nearest deadline; the overdue ones, or null when there is nothing more to do. */
  private synchronized @Nullable List<HttpConnection> nextDue() throws InterruptedException {
    while (!closed) {
      var now = System.nanoTime();
      var due = new ArrayList<HttpConnection>();
      var nearest = Long.MAX_VALUE;
      for (var connection : watched) {
        var left = connection.deadlineNanos() - now;
        if (left <= 0) {
          due.add(connection);
        }
        nearest = Math.min(nearest, left);
      }
      if (!due.isEmpty()) {
        due.forEach(watched::remove);
        return due;
      }
      wait(nearest == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nearest) + 1);
    }
    return null;
  }

  /** Closes all connections in use; their readers get an exception. */
  @Override
  public void close() {
    List<HttpConnection> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(watched);
      notifyAll();
    }
    left.forEach(HttpConnection::close);
  }
}
