package dev.errand.host.log;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the logs that are open. When too many tasks write at once their logs are closed after each
 * write, which costs time and never a byte.
 */
public final class OpenLogs {
  private final long max;
  private final AtomicLong open = new AtomicLong();

  public OpenLogs(long max) {
    this.max = max;
  }

  public boolean crowded() {
    return open.get() > max;
  }

  void opened() {
    open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }
}
