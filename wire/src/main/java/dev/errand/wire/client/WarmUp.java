package dev.errand.wire.client;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;

/** Loads what takes longest of all that the first call needs. */
final class WarmUp {
  private WarmUp() {}

  /** The JDK makes a source of secure random numbers for each program that uses Unix sockets. */
  static void load() {
    try (var _ = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return;
    } catch (IOException e) {
      // Whoever calls the daemon will meet the same and can say what it was good for.
      return;
    }
  }
}
