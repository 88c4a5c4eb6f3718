package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionMetaData;

/**
 * The connections at one door: their number, and how long each has been waiting for the head of a
 * request. The server closes silent connections; those that send single bytes are closed here, or
 * they could stay open for days without a complete request.
 */
final class ConnectionLimits implements Connection.Listener {
  private final AbstractConnector connector;

  /** Longer than the server's idle limit, so that pauses of a client do not count. */
  private final Duration headMax;

  private final Time clock;

  private final AtomicInteger connections = new AtomicInteger();
  private final Map<Connection, Requests> requests = new ConcurrentHashMap<>();

  private ConnectionLimits(AbstractConnector connector, Duration headMax, Time clock) {
    this.connector = connector;
    this.headMax = headMax;
    this.clock = clock;
  }

  /** Must be called before the door opens. */
  static ConnectionLimits at(AbstractConnector connector, Duration headMax, Time clock) {
    var entrance = new ConnectionLimits(connector, headMax, clock);
    connector.addBean(entrance);
    return entrance;
  }

  /** Starts the check for slow heads; called when the door is open. */
  void watch() {
    var _ = clock.after(headMax.dividedBy(4), this::cutSlow);
  }

  @Override
  public void onOpened(Connection connection) {
    connections.incrementAndGet();
    if (connection instanceof ConnectionMetaData) {
      requests.put(connection, new Requests(clock.ticks()));
    }
  }

  @Override
  public void onClosed(Connection connection) {
    connections.decrementAndGet();
    requests.remove(connection);
  }

  int connections() {
    return connections.get();
  }

  /** The head of a request is complete. */
  void begin(Connection connection) {
    var of = requests.get(connection);
    if (of != null) {
      of.underWay.incrementAndGet();
    }
  }

  /** A request is answered; the next one may have started before this call. */
  void end(Connection connection) {
    var of = requests.get(connection);
    if (of != null) {
      of.sinceTicks = clock.ticks();
      of.underWay.decrementAndGet();
    }
  }

  private void cutSlow() {
    requests.forEach((connection, of) -> {
      var endPoint = connection.getEndPoint();
      // A connection that became a WebSocket sends no further heads.
      if (!endPoint.isOpen() || !connection.equals(endPoint.getConnection())) {
        requests.remove(connection);
      } else if (of.owesAt(clock.ticks(), headMax)) {
        RefusalLog.refused(connector, "a head that takes too long", HttpStatus.REQUEST_TIMEOUT_408);
        // Closed without an answer: an incomplete head is not a request.
        endPoint.close();
      }
    });
    if (connector.isRunning()) {
      watch();
    }
  }

  /** The number of requests in progress on one connection, and since when there is none. */
  private static final class Requests {
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile long sinceTicks;

    Requests(long sinceTicks) {
      this.sinceTicks = sinceTicks;
    }

    private boolean owesAt(long nowTicks, Duration atMost) {
      return underWay.get() == 0 && nowTicks - sinceTicks > atMost.toNanos();
    }
  }
}
