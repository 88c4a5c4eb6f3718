package dev.errand.wire.client;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;

/** Loads the slowest classes of the first call in advance. */
final class WarmUp {
  private WarmUp() {}

  /** Begins, on a thread of its own, with what connecting needs. */
  static void begin() {
    Thread.ofPlatform().daemon().name("errand-client-sockets").start(WarmUp::loadSockets);
  }

  /** Begins with what reading an answer needs; sooner it would only be in the way of the rest. */
  static void beginReading() {
    Thread.ofPlatform().daemon().name("errand-client-numbers").start(WarmUp::loadNumbers);
  }

  /** The JDK makes a source of secure random numbers for each program that uses Unix sockets. */
  private static void loadSockets() {
    try (var _ = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return;
    } catch (IOException e) {
      // The real call will fail in the same way and report it.
      return;
    }
  }

  /**
   * The JDK computes huge powers before its first decimal, of which the reader of JSON has some.
   */
  private static void loadNumbers() {
    var _ = BigDecimal.ZERO;
  }
}
