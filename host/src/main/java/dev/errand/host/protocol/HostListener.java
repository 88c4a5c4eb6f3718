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
 * The host's end of the socket. One daemon is served at a time: who says hello last, and says it
 * right, replaces the one before.
 */
public final class HostListener implements AutoCloseable {
  private static final Duration RETRY = Duration.ofMillis(100);

  private final ServerSocketChannel server;
  private final Path path;
  private final Handler handler;
  private final Time clock;
  private final AtomicReference<@Nullable HostConnection> current = new AtomicReference<>();

  /** What the daemon was told last; sent in one order with what replaces it. */
  private List<HostReply.Left> left = List.of();

  /** Who does what is asked. It must not block: one thread reads all requests of a connection. */
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

  /** Without a descriptor for it a connection stays in line, and asking at once brings the same. */
  private void accept() {
    var failing = false;
    while (server.isOpen()) {
      try {
        new HostConnection(server.accept(), this, clock).start();
        failing = false;
      } catch (IOException e) {
        if (server.isOpen() && !failing) {
          System.err.println("host: nobody can connect, trying on: " + e);
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

  /** Tells the daemon, if there is one, that there is something to read. Never blocks. */
  public void hint() {
    var connection = current.get();
    if (connection != null) {
      connection.hint();
    }
  }

  /** Tells the daemon which processes live on beside the tasks, if that has changed. */
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

  /** Waits until what was answered is sent, for a while. */
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
      // Nobody is left to whom it would matter.
    }
  }
}
