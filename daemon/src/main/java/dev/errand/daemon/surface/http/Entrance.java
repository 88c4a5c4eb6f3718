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
final class Entrance implements Connection.Listener {
  private final AbstractConnector connector;

  /** Longer than the silence after which the server cuts, so that no pause of a client counts. */
  private final Duration headMax;

  private final AtomicInteger connections = new AtomicInteger();
  private final Map<Connection, Long> owingSince = new ConcurrentHashMap<>();

  private Entrance(AbstractConnector connector, Duration headMax) {
    this.connector = connector;
    this.headMax = headMax;
  }

  /** To be called before the door opens. */
  static Entrance at(AbstractConnector connector, Duration headMax) {
    var entrance = new Entrance(connector, headMax);
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
    owes(connection);
  }

  @Override
  public void onClosed(Connection connection) {
    connections.decrementAndGet();
    owingSince.remove(connection);
  }

  int connections() {
    return connections.get();
  }

  /** The head of a request is there. */
  void begin(Connection connection) {
    owingSince.remove(connection);
  }

  /** A request is answered; what comes next is another head. */
  void end(Connection connection) {
    owes(connection);
  }

  /** A connection that became a WebSocket owes none any more. */
  private void owes(Connection connection) {
    var endPoint = connection.getEndPoint();
    if (connection instanceof ConnectionMetaData
        && endPoint.isOpen()
        && connection.equals(endPoint.getConnection())) {
      owingSince.put(connection, System.nanoTime());
    }
  }

  private void cutSlow() {
    var now = System.nanoTime();
    owingSince.forEach((connection, since) -> {
      if (!connection.getEndPoint().isOpen()) {
        owingSince.remove(connection);
      } else if (now - since > headMax.toNanos() && owingSince.remove(connection, since)) {
        Audit.refused(connector, "a head that takes too long", HttpStatus.REQUEST_TIMEOUT_408);
        // Without a word: half a head is no request that could be answered.
        connection.getEndPoint().close();
      }
    });
    if (connector.isRunning()) {
      watch();
    }
  }
}
