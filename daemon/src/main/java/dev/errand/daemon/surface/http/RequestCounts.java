package dev.errand.daemon.surface.http;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;

/**
 * Counts connections at each door, requests in progress, and answers by the class of their status.
 */
final class RequestCounts {
  private static final int CLASSES = 6;

  private final Map<Connector, ConnectionLimits> entrances;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLongArray answers = new AtomicLongArray(CLASSES);

  RequestCounts(Map<Connector, ConnectionLimits> entrances) {
    this.entrances = Map.copyOf(entrances);
  }

  void begin(Request request) {
    underWay.incrementAndGet();
    entrance(request).begin(request.getConnectionMetaData().getConnection());
  }

  void end(Request request, int status) {
    entrance(request).end(request.getConnectionMetaData().getConnection());
    underWay.decrementAndGet();
    answers.incrementAndGet(Math.clamp(status / 100, 0, CLASSES - 1));
  }

  /** How many are open at the door of this request; each door has its own limit. */
  int connections(Request request) {
    return entrance(request).connections();
  }

  int connections() {
    return entrances.values().stream().mapToInt(ConnectionLimits::connections).sum();
  }

  int underWay() {
    return underWay.get();
  }

  long answers(int statusClass) {
    return answers.get(statusClass);
  }

  private ConnectionLimits entrance(Request request) {
    var entrance = entrances.get(request.getConnectionMetaData().getConnector());
    if (entrance == null) {
      throw new IllegalStateException("a request came by no door");
    }
    return entrance;
  }
}
