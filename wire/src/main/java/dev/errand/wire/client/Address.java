package dev.errand.wire.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The address of a daemon, and the credentials for it. */
sealed interface Address {

  SocketChannel open() throws IOException;

  SocketAddress socketAddress() throws IOException;

  /** The text of the Host header. */
  String host();

  /** Sent as a bearer token; a Unix socket needs none, since the kernel names the peer. */
  @Nullable String token();

  record Unix(Path socket) implements Address {
    @Override
    public SocketChannel open() throws IOException {
      return SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @Override
    public SocketAddress socketAddress() {
      return UnixDomainSocketAddress.of(socket);
    }

    @Override
    public String host() {
      return "localhost";
    }

    @Override
    public @Nullable String token() {
      return null;
    }
  }

  record Tcp(String hostName, int port, String token) implements Address {
    @Override
    public SocketChannel open() throws IOException {
      return SocketChannel.open();
    }

    @Override
    public SocketAddress socketAddress() throws IOException {
      var address = new InetSocketAddress(hostName, port);
      if (address.isUnresolved()) {
        throw new UnknownHostException(hostName);
      }
      return address;
    }

    @Override
    public String host() {
      return hostName + ":" + port;
    }

    /** Without the token, which is a secret. */
    @Override
    public String toString() {
      return "Tcp[" + host() + "]";
    }
  }
}
