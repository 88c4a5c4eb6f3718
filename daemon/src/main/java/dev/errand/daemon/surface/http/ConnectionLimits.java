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
 * The connections at one door: how many there are, and since when each of them owes the head of a
 * request. The server cuts who is silent; who sends a byte now and then is cut here, or it could
 * hold its connection for days without ever having asked for anything.
 */
final class ConnectionLimits implements Connection.Listener {
  private final AbstractConnector connector;

  /** Longer than the silence after which the server cuts, so that no pause of a client counts. */
  private final Duration headMax;

  private final Time clock;

  private final AtomicInteger connections = new AtomicInteger();
  private final Map<Connection, Requests> requests = new ConcurrentHashMap<>();

  private ConnectionLimits(AbstractConnector connector, Duration headMax, Time clock) {
    this.connector = connector;
    this.headMax = headMax;
    this.clock = clock;
  }

  /** To be called before the door opens. */
  static ConnectionLimits at(AbstractConnector connector, Duration headMax, Time clock) {
    var entrance = new ConnectionLimits(connector, headMax, clock);
    connector.addBean(entrance);
    return entrance;
  }

  /** From now on slow heads are looked for; to be called when the door is open. */
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
      of.sinceTicks = clock.ticks();
      of.underWay.decrementAndGet();
    }
  }

  private void cutSlow() {
    requests.forEach((connection, of) -> {
      var endPoint = connection.getEndPoint();
      // One that became a WebSocket owes no head any more.
      if (!endPoint.isOpen() || !connection.equals(endPoint.getConnection())) {
        requests.remove(connection);
      } else if (of.owesAt(clock.ticks(), headMax)) {
        RefusalLog.refused(connector, "a head that takes too long", HttpStatus.REQUEST_TIMEOUT_408);
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
    private volatile long sinceTicks;

    Requests(long sinceTicks) {
      this.sinceTicks = sinceTicks;
    }

    private boolean owesAt(long nowTicks, Duration atMost) {
      return underWay.get() == 0 && nowTicks - sinceTicks > atMost.toNanos();
    }
  }
}
