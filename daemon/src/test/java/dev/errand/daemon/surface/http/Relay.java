package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A Unix socket in front of another one, whose connections a test can cut at any byte. */
final class Relay implements AutoCloseable {
  private final ServerSocketChannel door;
  private final SocketAddress target;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  private Relay(ServerSocketChannel door, SocketAddress target) {
    this.door = door;
    this.target = target;
  }

  static Relay start(Path socket, Path target) throws IOException {
    var door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    door.bind(UnixDomainSocketAddress.of(socket));
    var relay = new Relay(door, UnixDomainSocketAddress.of(target));
    Thread.ofPlatform().daemon().start(relay::accept);
    return relay;
  }

  private void accept() {
    try {
      while (true) {
        var client = door.accept();
        var server = SocketChannel.open(StandardProtocolFamily.UNIX);
        server.connect(target);
        open.add(client);
        open.add(server);
        Thread.ofPlatform().daemon().start(() -> carry(client, server));
        Thread.ofPlatform().daemon().start(() -> carry(server, client));
      }
    } catch (IOException e) {
      // The relay is closed.
    }
  }

  private void carry(SocketChannel from, SocketChannel to) {
    var buffer = ByteBuffer.allocate(777);
    try (from;
        to) {
      while (from.read(buffer.clear()) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
    } catch (IOException e) {
      // Cut, or gone.
    }
  }

  /** Ends all connections, wherever they are in what they say. */
  void cut() throws IOException {
    for (var channel : List.copyOf(open)) {
      open.remove(channel);
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }
}
