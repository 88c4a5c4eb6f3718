package dev.errand.daemon.surface.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.eclipse.jetty.io.Connection;

/** Counts connections, requests under way, and answers by the class of their status. */
final class RequestCounts implements Connection.Listener {
  private static final int CLASSES = 6;

  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLongArray answers = new AtomicLongArray(CLASSES);

  @Override
  public void onOpened(Connection connection) {
    connections.incrementAndGet();
  }

  @Override
  public void onClosed(Connection connection) {
    connections.decrementAndGet();
  }

  void begin() {
    underWay.incrementAndGet();
  }

  void end(int status) {
    underWay.decrementAndGet();
    answers.incrementAndGet(Math.clamp(status / 100, 0, CLASSES - 1));
  }

  int connections() {
    return connections.get();
  }

  int underWay() {
    return underWay.get();
  }

  long answers(int statusClass) {
    return answers.get(statusClass);
  }
}
