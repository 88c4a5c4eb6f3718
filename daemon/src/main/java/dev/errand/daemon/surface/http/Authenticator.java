package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.Caller;
import dev.errand.daemon.access.Grant;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.host.linux.PeerProcess;
import dev.errand.host.linux.ProcFs;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Decides who a caller is, or that it may not enter. A Unix peer is known by its user; a TCP caller
 * by its token, and only after it has shown that no foreign web page sent it. Values are compared
 * whole, never by pattern.
 */
final class Authenticator {
  private static final String BEARER = "Bearer ";

  /** The peer is looked at once a connection: it stays who it is. */
  private static final String PEER = Authenticator.class.getName() + ".peer";

  private final UnixListener unixListener;
  private final Engine engine;
  private final Services.OfAccess access;
  private final Set<String> hosts;
  private final Set<String> origins;

  Authenticator(
      UnixListener unixListener, Engine engine, Services.OfAccess access, TcpListener tcpListener) {
    this.unixListener = unixListener;
    this.engine = engine;
    this.access = access;
    this.hosts = TcpListener.hosts(tcpListener);
    this.origins = hosts.stream().map(it -> "http://" + it).collect(Collectors.toSet());
  }

  /** Refuses what nobody may send, whoever it is; to be asked before anything else. */
  void checkOrigin(Request request) throws IOException {
    if (isUnix(request)) {
      var _ = checkPeer(request);
      return;
    }
    if (!hosts.contains(header(request, HttpHeader.HOST.asString()))) {
      throw forbidden("this name of the server is not one of its own; call it by its address");
    }
    var origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !origins.contains(origin)) {
      throw forbidden("requests of foreign web pages are refused");
    }
    if (header(request, Ambiguity.SEC_FETCH_SITE).equals("cross-site")) {
      throw forbidden("requests of foreign web pages are refused");
    }
  }

  /** A token limits a Unix peer to what it is good for; a TCP caller is nobody without one. */
  Caller caller(Request request) throws IOException {
    var authorization = header(request, HttpHeader.AUTHORIZATION.asString());
    if (isUnix(request)) {
      var peer = checkPeer(request);
      // Not by its text: who shows an empty token has lost it, and is not let in as more.
      var shown = request.getHeaders().contains(HttpHeader.AUTHORIZATION);
      return shown ? peer.with(granted(authorization)) : peer;
    }
    return Caller.PERSON.with(granted(authorization));
  }

  private Grant granted(String authorization) {
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw new ErrandException(
          ErrorCode.UNAUTHENTICATED,
          "send the token of the daemon's home as Authorization: Bearer <token>");
    }
    return access
        .tokens()
        .grantOf(authorization.substring(BEARER.length()))
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.UNAUTHENTICATED, "this token is not valid; read it again"));
  }

  /** Whether a token that was shown before is still good. */
  boolean admits(Grant grant) {
    return access.tokens().holds(grant);
  }

  /** Refuses a caller whose token was taken back since it was shown. */
  void checkStillAdmitted(Caller caller) {
    var grant = caller.grant();
    if (grant != null && !admits(grant)) {
      throw Tokens.takenBack();
    }
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
    var peer = peerOf(channel);
    connection.setAttribute(PEER, peer);
    return peer;
  }

  /** A process of a task acts as that task, whatever its user may do at a terminal. */
  private Caller peerOf(SocketChannel channel) {
    var pid = PeerProcess.pid(channel);
    if (pid.isEmpty()) {
      return Caller.PERSON;
    }
    return switch (access.processes().whose(pid.getAsLong())) {
      case TaskProcesses.Whose.Tasks(var taskId) -> task(taskId);
      case TaskProcesses.Whose.Unknown _ -> throw leftOver();
      case TaskProcesses.Whose.Unmarked _ -> Caller.unknownTask(lowestRunning());
      case TaskProcesses.Whose.Nobodys _ -> person(pid.getAsLong());
    };
  }

  /** Looked at last: of one that lives until now, all signs were there to be seen. */
  private static Caller person(long pid) {
    if (ProcFs.stat(pid).isEmpty()) {
      throw forbidden(
          "the process that opened this connection has ended, so nobody knows whose it was; let one"
              + " connect that waits for the answer");
    }
    return Caller.PERSON;
  }

  private static ErrandException leftOver() {
    return forbidden(
        "this process is left over from a task that nobody here knows any more, so it may do"
            + " nothing; start it as a task of its own");
  }

  private Caller task(TaskId taskId) {
    return switch (engine.snapshot(taskId).state()) {
      case TaskState.Absent _ -> throw leftOver();
      case TaskState.Present it ->
          Caller.task(
              taskId, it.known().spec().origin().sessionId(), profile(it.known().spec().ruling()));
    };
  }

  /**
   * Whatever task it is of, it gets no more than it had there. A claimed one may have a process
   * already that is not recorded yet.
   */
  private Profile lowestRunning() {
    return engine.live().stream()
        .filter(it ->
            it.state() instanceof TaskState.Running || it.state() instanceof TaskState.Claimed)
        .map(it -> profile(((TaskState.Present) it.state()).known().spec().ruling()))
        .reduce(Profile::atMost)
        .orElseThrow(Authenticator::leftOver);
  }

  /** A task has what its caller had; one that nobody judged is of an older program. */
  private static Profile profile(@Nullable Ruling ruling) {
    return ruling == null ? Profile.SAFE : ruling.profile();
  }

  private static String header(Request request, String name) {
    @Nullable String value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  private static ErrandException forbidden(String detail) {
    return new ErrandException(ErrorCode.FORBIDDEN, detail);
  }
}
