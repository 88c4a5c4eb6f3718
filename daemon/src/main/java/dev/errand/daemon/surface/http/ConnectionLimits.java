package dev.errand.daemon.surface.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionMetaData;

/**
 * The connections at one door: how many there are, and since when each of them owes the head of a
 * request. The server cuts who is silent; who sends a byte now and then is cut here, or it could
 * hold its connection for days without ever having asked for anything.
 */
final class ConnectionLimits implements Connection.Listener {
  private final AbstractConnector connector;

  /** Longer than the silence after which the server cuts, so that no pause of a client counts. */
  private final Duration headMax;

  private final AtomicInteger connections = new AtomicInteger();
  private final Map<Connection, Requests> requests = new ConcurrentHashMap<>();

  private ConnectionLimits(AbstractConnector connector, Duration headMax) {
    this.connector = connector;
    this.headMax = headMax;
  }

  /** To be called before the door opens. */
  static ConnectionLimits at(AbstractConnector connector, Duration headMax) {
    var entrance = new ConnectionLimits(connector, headMax);
    connector.addBean(entrance);
    return entrance;
  }

  /** From now on slow heads are looked for; to be called when the door is open. */
  void watch() {
    connector.getScheduler().schedule(this::cutSlow, headMax.toMillis() / 4, TimeUnit.MILLISECONDS);
  }

  @Override
  public void onOpened(Connection connection) {
    connections.incrementAndGet();
    if (connection instanceof ConnectionMetaData) {
      requests.put(connection, new Requests());
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

  /** The head of a request is there. */
  void begin(Connection connection) {
    var of = requests.get(connection);
    if (of != null) {
      of.underWay.incrementAndGet();
    }
  }

  /** A request is answered; the next may have begun before this is told. */
  void end(Connection connection) {
    var of = requests.get(connection);
    if (of != null) {
      of.sinceNanos = System.nanoTime();
      of.underWay.decrementAndGet();
    }
  }

  private void cutSlow() {
    requests.forEach((connection, of) -> {
      var endPoint = connection.getEndPoint();
      // One that became a WebSocket owes no head any more.
      if (!endPoint.isOpen() || !connection.equals(endPoint.getConnection())) {
        requests.remove(connection);
      } else if (of.owesFor(headMax)) {
        Audit.refused(connector, "a head that takes too long", HttpStatus.REQUEST_TIMEOUT_408);
        // Without a word: half a head is no request that could be answered.
        endPoint.close();
      }
    });
    if (connector.isRunning()) {
      watch();
    }
  }

  /** What is under way on one connection, and since when nothing is. */
  private static final class Requests {
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile long sinceNanos = System.nanoTime();

    private boolean owesFor(Duration time) {
      return underWay.get() == 0 && System.nanoTime() - sinceNanos > time.toNanos();
    }
  }
}
