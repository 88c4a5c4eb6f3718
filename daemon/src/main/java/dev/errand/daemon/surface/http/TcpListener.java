package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/** The TCP door: whether it is open, and its address. */
public sealed interface TcpListener {

  /** The backlog: connections that are not accepted yet. */
  int BACKLOG_MAX = 4_096;

  /** The settings have none. */
  record Shut() implements TcpListener {}

  /** It could not be opened; the daemon runs without it. */
  record Failed(String reason) implements TcpListener {}

  record Open(InetSocketAddress address) implements TcpListener {}

  static TcpListener open(
      Server server, @Nullable String listen, ConnectionFactory http, Duration idle) {
    if (listen == null) {
      return new Shut();
    }
    var address = Address.parse(listen);
    if (address == null) {
      return new Failed("not an address to listen on, such as 127.0.0.1:7717: " + listen);
    }
    var connector = new ServerConnector(server, null, null, null, 1, 1, http);
    connector.setHost(address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(idle.toMillis());
    connector.setAcceptQueueSize(BACKLOG_MAX);
    try {
      connector.open();
    } catch (IOException e) {
      return new Failed("cannot listen on " + listen + ": " + e.getMessage());
    }
    server.addConnector(connector);
    return new Open(new InetSocketAddress(address.host(), connector.getLocalPort()));
  }

  /** The Host values that are valid for this door; any other may be a rebound DNS name. */
  static Set<String> hosts(TcpListener door) {
    return switch (door) {
      case Shut _, Failed _ -> Set.of();
      case Open(var address) -> {
        var port = ":" + address.getPort();
        var hosts = new HashSet<>(Set.of("127.0.0.1" + port, "localhost" + port, "[::1]" + port));
        hosts.add(new Address(address.getHostString(), address.getPort()).text());
        yield Set.copyOf(hosts);
      }
    };
  }

  /** A host and a port, as configured; an IPv6 host is in brackets. */
  record Address(String host, int port) {
    private static final int PORT_MAX = 65_535;

    static @Nullable Address parse(String text) {
      var colon = text.lastIndexOf(':');
      if (colon < 1) {
        return null;
      }
      var host = text.substring(0, colon);
      var port = port(text.substring(colon + 1));
      var bracketed = host.startsWith("[") && host.endsWith("]");
      if (port < 0 || (!bracketed && host.indexOf(':') >= 0)) {
        return null;
      }
      return new Address(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }

    private static int port(String text) {
      try {
        var port = Integer.parseInt(text);
        return port > PORT_MAX ? -1 : port;
      } catch (NumberFormatException _) {
        return -1;
      }
    }

    String text() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }
}
