package dev.errand.bench;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Very many subscribers of event streams, on one thread; they go round the targets. The slow ones
 * send their request and never read.
 */
final class Crowd implements AutoCloseable {
  private static final int CONNECTS_AT_ONCE = 50;

  private final Selector selector = Selector.open();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final Thread reader = Thread.ofPlatform().daemon().unstarted(this::read);
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger ended = new AtomicInteger();

  Crowd(Path socket, List<String> targets, int count, int slow)
      throws IOException, InterruptedException {
    for (var i = 0; i < count; i++) {
      var text = request(targets.get(i % targets.size()));
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap(text));
      channel.configureBlocking(false);
      channels.add(channel);
      if (i >= slow) {
        channel.register(selector, SelectionKey.OP_READ);
      }
      if (i % CONNECTS_AT_ONCE == 0) {
        Thread.sleep(5);
      }
    }
    reader.start();
  }

  private static byte[] request(String target) {
    var head =
        "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    return head.getBytes(StandardCharsets.UTF_8);
  }

  /** All that the quick ones have read. */
  long bytes() {
    return bytes.get();
  }

  /** How many of the quick ones have seen the end of the stream. */
  int ended() {
    return ended.get();
  }

  private void read() {
    var buffer = ByteBuffer.allocateDirect(64 << 10);
    var tail = new byte[5];
    try {
      while (selector.isOpen()) {
        selector.select(key -> take(key, buffer, tail));
      }
    } catch (IOException | ClosedSelectorException e) {
      return;
    }
  }

  private void take(SelectionKey key, ByteBuffer buffer, byte[] tail) {
    try {
      var channel = (SocketChannel) key.channel();
      var count = channel.read(buffer.clear());
      if (count > 0) {
        bytes.addAndGet(count);
      }
      if (count < 0 || isLastChunk(buffer.flip(), tail)) {
        key.cancel();
        ended.incrementAndGet();
      }
    } catch (IOException e) {
      key.cancel();
    }
  }

  /** A chunked body ends with an empty chunk. */
  private static boolean isLastChunk(ByteBuffer read, byte[] tail) {
    if (read.limit() < tail.length) {
      return false;
    }
    read.get(read.limit() - tail.length, tail);
    return new String(tail, StandardCharsets.US_ASCII).equals("0\r\n\r\n");
  }

  @Override
  public void close() throws IOException {
    selector.close();
    for (var channel : channels) {
      channel.close();
    }
  }
}
