package dev.errand.daemon.surface.http;

import dev.errand.wire.home.PrivateFolder;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;

/** The Unix socket: its folder, its mode and the peer's user decide who may connect. */
final class UnixListener {
  private static final Set<PosixFilePermission> SOCKET_MODE =
      PosixFilePermissions.fromString("rw-------");

  /**
   * The backlog: connections that are not accepted yet; beyond it the kernel refuses a peer at
   * once.
   */
  private static final int BACKLOG_MAX = 4_096;

  /** Names of the user who may do everything anyway. */
  private static final Set<String> ROOT = Set.of("root", "0");

  private final Path socket;
  private volatile String owner = "";

  UnixListener(Path socket) {
    this.socket = socket.toAbsolutePath();
  }

  /** Removes an old socket, and gives the server a connector that creates a new one. */
  void prepare(Server server, ConnectionFactory http, Duration idle) throws IOException {
    prepareFolder();
    removeStale();
    var connector = new UnixDomainServerConnector(server, 1, 1, http);
    connector.setUnixDomainPath(socket);
    connector.setIdleTimeout(idle.toMillis());
    connector.setAcceptQueueSize(BACKLOG_MAX);
    server.addConnector(connector);
  }

  /** Whether this is a Unix socket and not the network. */
  static boolean isDoor(Connector connector) {
    return connector instanceof UnixDomainServerConnector;
  }

  /**
   * Called when the server listens; until then the mode of the folder alone keeps other users out.
   */
  void secure() throws IOException {
    Files.setPosixFilePermissions(socket, SOCKET_MODE);
    owner = Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS).getName();
  }

  /** Whether the peer is the user of this daemon, or root. */
  boolean admits(SocketChannel channel) throws IOException {
    var peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    return admits(peer, owner);
  }

  /** Compares names instead of user ids: the kernel gives the id, and the same table names both. */
  static boolean admits(String peer, String owner) {
    return !peer.isEmpty() && (peer.equals(owner) || ROOT.contains(peer));
  }

  private void prepareFolder() throws IOException {
    var folder = socket.getParent();
    if (folder == null) {
      throw new IOException("the socket needs a folder of its own: " + socket);
    }
    PrivateFolder.make(folder);
    var problem = PrivateFolder.problem(folder);
    if (problem.isPresent()) {
      throw new IOException("the socket is not safe there: " + problem.get());
    }
  }

  /** A daemon that was killed leaves its socket; nothing else is ever removed here. */
  private void removeStale() throws IOException {
    if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!attributes(socket).isOther()) {
      throw new IOException(socket + " is not a socket; move it away");
    }
    Files.delete(socket);
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
