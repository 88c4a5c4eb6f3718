package dev.errand.wire.client;

import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a real socket that answers just what the test tells it to, byte for byte. */
final class ScriptedServer implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean closed;

  private ScriptedServer(ServerSocketChannel listener, Script script) {
    this.listener = listener;
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  /** One request as it came, with the number of its connection and its own number, both from 1. */
  record Request(
      String method,
      String target,
      Map<String, String> headers,
      String body,
      int connection,
      int number) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  interface Script {
    void answer(Request request, Out out) throws IOException;
  }

  /** Where a script writes; closing it cuts the connection. */
  record Out(SocketChannel channel) {
    void raw(String text) throws IOException {
      bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] bytes) throws IOException {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void answer(int status, String headers, byte[] body) throws IOException {
      raw(
          "HTTP/1.1 "
              + status
              + " X\r\n"
              + headers
              + "Content-Length: "
              + body.length
              + "\r\n\r\n");
      bytes(body);
    }

    void json(String text) throws IOException {
      answer(200, "", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    void problem(int status, String text) throws IOException {
      answer(status, "", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** Begins an event stream; what follows are {@link #chunk}s. */
    void stream() throws IOException {
      raw(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    void chunk(String text) throws IOException {
      var length = text.getBytes(StandardCharsets.UTF_8).length;
      raw(Integer.toHexString(length) + "\r\n" + text + "\r\n");
    }

    void lastChunk() throws IOException {
      raw("0\r\n\r\n");
    }

    void cut() throws IOException {
      channel.close();
    }
  }

  static ScriptedServer tcp(Script script) throws IOException {
    var listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return new ScriptedServer(listener, script);
  }

  /** Listens on a socket of that name in the home and says so in its daemon file. */
  static ScriptedServer unix(ErrandHome home, String name, Script script) throws IOException {
    var socket = home.root().resolve(name);
    var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    var server = new ScriptedServer(listener, script);
    publish(home, socket);
    return server;
  }

  static void publish(ErrandHome home, Path socket) throws IOException {
    var file = new DaemonFile(1, null, null, socket.toString(), Instant.EPOCH, null);
    Files.write(home.daemonFile(), file.encode());
  }

  URI base() throws IOException {
    return URI.create(
        "http://127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort());
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  int connections() {
    return connections.get();
  }

  private void accept() {
    try {
      while (true) {
        var channel = listener.accept();
        open.add(channel);
        if (closed) {
          channel.close();
        }
        var number = connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(channel, number));
      }
    } catch (IOException e) {
      // The server was closed.
    }
  }

  private void serve(SocketChannel channel, int connection) {
    try (channel) {
      var in = Channels.newInputStream(channel);
      for (var request = read(in, connection); request != null; request = read(in, connection)) {
        requests.add(request);
        script.answer(request, new Out(channel));
      }
    } catch (IOException e) {
      // The client went, or the script cut the connection.
    }
  }

  private Request read(InputStream in, int connection) throws IOException {
    var line = HttpInput.line(in, 1 << 16);
    if (line == null) {
      throw new IOException("the client closed the connection");
    }
    var parts = line.split(" ", 3);
    var headers = new HashMap<String, String>();
    for (var next = HttpInput.line(in, 1 << 16); next != null && !next.isEmpty(); ) {
      var colon = next.indexOf(':');
      headers.put(
          next.substring(0, colon).toLowerCase(Locale.ROOT), next.substring(colon + 1).strip());
      next = HttpInput.line(in, 1 << 16);
    }
    var body = new ByteArrayOutputStream();
    body.writeBytes(in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0"))));
    return new Request(
        parts[0],
        parts[1],
        headers,
        body.toString(StandardCharsets.UTF_8),
        connection,
        requests.size() + 1);
  }

  /** As a killed daemon leaves it: nothing listens and every connection is cut. */
  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    for (var channel : open) {
      channel.close();
    }
  }
}
