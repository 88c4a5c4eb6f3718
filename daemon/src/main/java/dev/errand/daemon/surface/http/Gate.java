package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * Decides who a caller is, or that it may not enter. A Unix peer is known by its user; a TCP caller
 * by its token, and only after it has shown that no foreign web page sent it. Values are compared
 * whole, never by pattern.
 */
final class Gate {
  private static final String BEARER = "Bearer ";
  private static final String SEC_FETCH_SITE = "Sec-Fetch-Site";

  /** The peer's user is asked once a connection: the answer cannot change. */
  private static final String PEER_ADMITTED = Gate.class.getName() + ".peerAdmitted";

  private static final Caller UNIX_CALLER =
      new Caller("cli", new SessionId("cli"), Profile.FULL_AUTO, null);

  private final UnixDoor unixDoor;
  private final TokenCheck tokens;
  private final Set<String> hosts;
  private final Set<String> origins;

  Gate(UnixDoor unixDoor, TokenCheck tokens, TcpDoor tcpDoor) {
    this.unixDoor = unixDoor;
    this.tokens = tokens;
    this.hosts = TcpDoor.hosts(tcpDoor);
    this.origins = hosts.stream().map(it -> "http://" + it).collect(Collectors.toSet());
  }

  /** Refuses what nobody may send, whoever it is; to be asked before anything else. */
  void checkOrigin(Request request) throws IOException {
    if (isUnix(request)) {
      checkPeer(request);
      return;
    }
    if (!hosts.contains(header(request, HttpHeader.HOST.asString()))) {
      throw forbidden("this name of the server is not one of its own; call it by its address");
    }
    var origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !origins.contains(origin)) {
      throw forbidden("requests of foreign web pages are refused");
    }
    if (header(request, SEC_FETCH_SITE).equals("cross-site")) {
      throw forbidden("requests of foreign web pages are refused");
    }
  }

  Caller caller(Request request) {
    if (isUnix(request)) {
      return UNIX_CALLER;
    }
    var authorization = header(request, HttpHeader.AUTHORIZATION.asString());
    if (!authorization.startsWith(BEARER)) {
      throw new ErrandException(
          ErrorCode.UNAUTHENTICATED,
          "send the token of the daemon's home as Authorization: Bearer <token>");
    }
    var name =
        tokens
            .nameOf(authorization.substring(BEARER.length()))
            .orElseThrow(() ->
                new ErrandException(
                    ErrorCode.UNAUTHENTICATED, "this token is not valid; read it again"));
    return new Caller(name, new SessionId(name), Profile.SAFE, null);
  }

  static boolean isUnix(Request request) {
    return request.getConnectionMetaData().getConnector() instanceof UnixDomainServerConnector;
  }

  private void checkPeer(Request request) throws IOException {
    var connection = request.getConnectionMetaData();
    if (connection.getAttribute(PEER_ADMITTED) != null) {
      return;
    }
    var transport = connection.getConnection().getEndPoint().getTransport();
    if (!(transport instanceof SocketChannel channel) || !unixDoor.admits(channel)) {
      throw forbidden("this socket belongs to another user");
    }
    connection.setAttribute(PEER_ADMITTED, true);
  }

  private static String header(Request request, String name) {
    @Nullable String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  private static ErrandException forbidden(String detail) {
    return new ErrandException(ErrorCode.FORBIDDEN, detail);
  }
}
