package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Caller;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the sender of a request, or refuses it. A Unix peer is identified by its user and its
 * process; a TCP caller by its token, and only if the request did not come from a foreign web page.
 * Values are compared as a whole, never by pattern.
 */
final class RequestAuthenticator {
  private static final String BEARER = "Bearer ";

  /** The peer is identified once per connection: it does not change. */
  private static final String PEER = RequestAuthenticator.class.getName() + ".peer";

  private final UnixListener unixListener;
  private final Authenticator authenticator;
  private final Set<String> hosts;
  private final Set<String> origins;

  RequestAuthenticator(
      UnixListener unixListener, Authenticator authenticator, TcpListener tcpListener) {
    this.unixListener = unixListener;
    this.authenticator = authenticator;
    this.hosts = TcpListener.hosts(tcpListener);
    this.origins = hosts.stream().map(it -> "http://" + it).collect(Collectors.toSet());
  }

  /** Refuses requests that no caller may send; must be called before anything else. */
  void checkOrigin(Request request) throws IOException {
    if (isUnix(request)) {
      var _ = checkPeer(request);
      return;
    }
    if (!hosts.contains(header(request, HttpHeader.HOST.asString()))) {
      throw forbidden(
          "this Host header is not allowed; connect to "
              + String.join(" or ", hosts.stream().sorted().toList()));
    }
    var origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !origins.contains(origin)) {
      throw forbidden("requests of foreign web pages are refused");
    }
    if (header(request, AmbiguityCheck.SEC_FETCH_SITE).equals("cross-site")) {
      throw forbidden("requests of foreign web pages are refused");
    }
  }

  /** A token limits a Unix peer to its rights; a TCP caller without one has none. */
  Caller caller(Request request) throws IOException {
    var authorization = header(request, HttpHeader.AUTHORIZATION.asString());
    if (isUnix(request)) {
      var peer = checkPeer(request);
      // Decided by the header, not by its text: a caller with an empty token has lost it, and gets
      // no further rights.
      var shown = request.getHeaders().contains(HttpHeader.AUTHORIZATION);
      return shown ? authenticator.withToken(peer, token(authorization)) : peer;
    }
    return authenticator.withToken(token(authorization));
  }

  private static String token(String authorization) {
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw new ErrandException(
          ErrorCode.UNAUTHENTICATED,
          "send the token of the daemon's home as Authorization: Bearer <token>");
    }
    return authorization.substring(BEARER.length());
  }

  static boolean isUnix(Request request) {
    return UnixListener.isDoor(request.getConnectionMetaData().getConnector());
  }

  private Caller checkPeer(Request request) throws IOException {
    var connection = request.getConnectionMetaData();
    if (connection.getAttribute(PEER) instanceof Caller known) {
      return known;
    }
    var transport = connection.getConnection().getEndPoint().getTransport();
    if (!(transport instanceof SocketChannel channel) || !unixListener.admits(channel)) {
      throw forbidden("this socket belongs to another user");
    }
    var peer = authenticator.peer(channel);
    connection.setAttribute(PEER, peer);
    return peer;
  }

  private static String header(Request request, String name) {
    @Nullable String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  private static ErrandException forbidden(String detail) {
    return new ErrandException(ErrorCode.FORBIDDEN, detail);
  }
}
