package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitSlots;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running HTTP surface: its doors, its routes, and all waiting callers. */
public final class HttpSurface implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpSurface.class);

  private static final int HEADER_BYTES_MAX = 16 * 1024;

  /** The time limit for the head of a request, as a multiple of the server's limit for one byte. */
  private static final int HEAD_IDLE_TIMES_MAX = 2;

  /**
   * This many connections above the limit are accepted and refused with an error; further ones stay
   * in the kernel's queue.
   */
  private static final int CONNECTIONS_TOLD = 64;

  /** Acceptors and selectors only: requests run on virtual threads. */
  private static final int THREADS_MAX = 16;

  private static final int THREADS_MIN = 4;

  /** How long a stop waits for requests in progress. */
  private static final Duration STOP_WAIT = Duration.ofSeconds(5);

  /** How often it checks whether they are answered. */
  private static final Duration STOP_LOOK_AGAIN = Duration.ofMillis(5);

  private final Server server;
  private final Dispatcher dispatcher;
  private final WaitSlots slots;
  private final RequestCounts counts;
  private final TcpListener tcpListener;
  private final Time clock;

  private HttpSurface(
      Server server,
      Dispatcher dispatcher,
      WaitSlots slots,
      RequestCounts counts,
      TcpListener tcpListener,
      Time clock) {
    this.server = server;
    this.dispatcher = dispatcher;
    this.slots = slots;
    this.counts = counts;
    this.tcpListener = tcpListener;
    this.clock = clock;
  }

  /** Listens when it returns; {@link #tcp()} tells if a TCP door could not be opened. */
  public static HttpSurface start(
      HttpSettings settings, Authenticator callers, Verbs verbs, Catalogue tools)
      throws IOException {
    var server = new Server(threads());
    var http = new HttpConnectionFactory(configuration());
    var unixListener = new UnixListener(settings.socket());
    unixListener.prepare(server, http, settings.times().idle());
    var tcpListener = TcpListener.open(server, settings.listen(), http, settings.times().idle());
    if (tcpListener instanceof TcpListener.Failed(var reason)) {
      LOG.error("no TCP door: {}", reason);
    }
    var slots = new WaitSlots(settings.limits().subscribersMax());
    var entrances = entrances(server, settings);
    var counts = new RequestCounts(entrances);
    var authenticator = new RequestAuthenticator(unixListener, callers, tcpListener);
    var routes = RouteTable.of(verbs, tools, settings, counts, slots);
    var webSockets = WebSockets.of(server);
    var door = new Call.Door(settings, callers, slots);
    var dispatcher = new Dispatcher(door, authenticator, routes, counts, webSockets);
    server.setErrorHandler(new ProblemErrorHandler(dispatcher::isClosing));
    server.setHandler(dispatcher);
    var surface = new HttpSurface(server, dispatcher, slots, counts, tcpListener, settings.clock());
    surface.listen(unixListener);
    entrances.values().forEach(ConnectionLimits::watch);
    return surface;
  }

  /**
   * Each door has its own, so that callers on the network cannot exclude those on the Unix socket.
   */
  private static Map<Connector, ConnectionLimits> entrances(Server server, HttpSettings settings) {
    var connectionsMax = settings.limits().connectionsMax() + CONNECTIONS_TOLD;
    var headMax = settings.times().idle().multipliedBy(HEAD_IDLE_TIMES_MAX);
    var entrances = new HashMap<Connector, ConnectionLimits>();
    for (var connector : server.getConnectors()) {
      server.addBean(new NetworkConnectionLimit(connectionsMax, connector));
      entrances.put(
          connector, ConnectionLimits.at((AbstractConnector) connector, headMax, settings.clock()));
    }
    return entrances;
  }

  private static QueuedThreadPool threads() {
    var threads = new QueuedThreadPool(THREADS_MAX, THREADS_MIN);
    threads.setName("http");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("http-"));
    return threads;
  }

  private static HttpConfiguration configuration() {
    var configuration = new HttpConfiguration();
    configuration.setRequestHeaderSize(HEADER_BYTES_MAX);
    configuration.setSendServerVersion(false);
    configuration.setSendXPoweredBy(false);
    configuration.setHttpCompliance(HttpCompliance.STRICT);
    return configuration;
  }

  @SuppressWarnings("CatchingUnchecked") // The server's start says no more than Exception.
  private void listen(UnixListener unixListener) throws IOException {
    try {
      server.start();
      unixListener.secure();
    } catch (Exception e) {
      close();
      throw new IOException("HTTP cannot start: " + e.getMessage(), e);
    }
  }

  /** Whether there is a TCP door, and its address. */
  public TcpListener tcp() {
    return tcpListener;
  }

  /** How many callers follow or wait now. */
  public int waiting() {
    return slots.taken();
  }

  /** Waits a moment for requests in progress; ends all that only wait. */
  @Override
  public void close() {
    dispatcher.refuseAll();
    slots.close();
    var begun = clock.ticks();
    try {
      while (counts.underWay() + slots.taken() > 0 && clock.ticks() - begun < STOP_WAIT.toNanos()) {
        clock.sleep(STOP_LOOK_AGAIN);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    stop();
  }

  @SuppressWarnings("CatchingUnchecked") // The server's stop says no more than Exception.
  private void stop() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("HTTP did not stop in order", e);
    }
  }
}
