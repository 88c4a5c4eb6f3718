package dev.errand.host.protocol;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of the socket. It serves one daemon at a time: a new connection with a valid hello
 * replaces the previous one.
 */
public final class HostListener implements AutoCloseable {
  private static final Duration RETRY = Duration.ofMillis(100);

  private final ServerSocketChannel server;
  private final Path path;
  private final Handler handler;
  private final Time clock;
  private final AtomicReference<@Nullable HostConnection> current = new AtomicReference<>();

  /** The last message about processes that live on; a lock keeps it in order with its successor. */
  private List<HostReply.Left> left = List.of();

  /** Carries out the requests. It must not block: one thread reads all requests of a connection. */
  public interface Handler {
    CompletionStage<? extends Answer<? extends HostReply>> handle(HostRequest request);
  }

  private HostListener(ServerSocketChannel server, Path path, Handler handler, Time clock) {
    this.server = server;
    this.path = path;
    this.handler = handler;
    this.clock = clock;
  }

  public static HostListener open(Path path, Handler handler, Time clock) throws IOException {
    Files.deleteIfExists(path);
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    var listener = new HostListener(server, path, handler, clock);
    Thread.ofPlatform().daemon().name("host-accept").start(listener::accept);
    return listener;
  }

  /**
   * Without a free descriptor the connection stays in the queue, and an immediate retry fails
   * again.
   */
  private void accept() {
    var failing = false;
    while (server.isOpen()) {
      try {
        new HostConnection(server.accept(), this, clock).start();
        failing = false;
      } catch (IOException e) {
        if (server.isOpen() && !failing) {
          System.err.println("host: cannot accept connections, trying again: " + e);
        }
        failing = true;
        pauseBeforeRetry();
      }
    }
  }

  private void pauseBeforeRetry() {
    try {
      clock.sleep(RETRY);
    } catch (InterruptedException _) {
      // Only the end of the process ends this thread.
    }
  }

  /** Sends a hint to the daemon, if one is connected, that there are new records. Never blocks. */
  public void hint() {
    var connection = current.get();
    if (connection != null) {
      connection.hint();
    }
  }

  /** Sends the daemon the processes that live on outside the tasks, if that has changed. */
  public synchronized void tell(List<HostReply.Left> processes) {
    if (processes.equals(left)) {
      return;
    }
    left = List.copyOf(processes);
    var connection = current.get();
    if (connection != null) {
      connection.tell(left);
    }
  }

  public boolean connected() {
    return current.get() != null;
  }

  CompletionStage<? extends Answer<? extends HostReply>> handle(HostRequest request) {
    return handler.handle(request);
  }

  synchronized void greeted(HostConnection connection) {
    var before = current.getAndSet(connection);
    if (before != null && before != connection) {
      before.close();
    }
    connection.tell(left);
  }

  void ended(HostConnection connection) {
    current.compareAndSet(connection, null);
  }

  /** Waits until all answers are sent, up to a limit. */
  public void flush() throws InterruptedException {
    var connection = current.get();
    if (connection != null) {
      connection.flush();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    var connection = current.getAndSet(null);
    if (connection != null) {
      connection.close();
    }
    Files.deleteIfExists(path);
  }

  static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException _) {
      // No daemon is left that needs it.
    }
  }
}
