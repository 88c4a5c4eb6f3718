package dev.errand.daemon.surface.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One connection, spoken to by hand: the tests see each byte that the surface sends. */
final class Wire implements AutoCloseable {
  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;
  private boolean chunked;
  private int chunkLeft;
  private boolean bodyEnded;

  private Wire(SocketChannel channel) {
    this.channel = channel;
    this.in = new BufferedInputStream(Channels.newInputStream(channel));
    this.out = Channels.newOutputStream(channel);
  }

  static Wire to(SocketAddress address) throws IOException {
    var family =
        address instanceof UnixDomainSocketAddress
            ? StandardProtocolFamily.UNIX
            : StandardProtocolFamily.INET;
    var channel = SocketChannel.open(family);
    channel.connect(address);
    return new Wire(channel);
  }

  /** An answer whose body, if it is not streamed, has been read. */
  @SuppressWarnings("ArrayRecordComponent") // Looked at, never compared.
  record Answer(int status, Map<String, String> headers, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  SocketChannel channel() {
    return channel;
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Who was cut sees that by what it reads. */
  void sendIfOpen(String text) {
    try {
      send(text);
    } catch (IOException _) {
      // Nobody takes it any more.
    }
  }

  void request(String method, String target, Map<String, String> headers, byte @Nullable [] body)
      throws IOException {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.put("Host", "errand");
    all.putAll(headers);
    if (body != null) {
      all.put("Content-Length", Integer.toString(body.length));
    }
    var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    var text = new ByteArrayOutputStream();
    text.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    if (body != null) {
      text.writeBytes(body);
    }
    send(text.toByteArray());
  }

  /** Reads status and headers; the body is still to come. */
  Answer head() throws IOException {
    var first = line();
    var headers = new TreeMap<String, String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    chunked = "chunked".equals(headers.get("transfer-encoding"));
    chunkLeft = 0;
    bodyEnded = false;
    return new Answer(Integer.parseInt(first.substring(9, 12)), headers, new byte[0]);
  }

  Answer answer(String method) throws IOException {
    var head = head();
    if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
      return head;
    }
    var body = new ByteArrayOutputStream();
    if (chunked) {
      for (var next = bodyByte(); next >= 0; next = bodyByte()) {
        body.write(next);
      }
    } else {
      body.writeBytes(in.readNBytes(Integer.parseInt(head.header("Content-Length"))));
    }
    return new Answer(head.status(), head.headers(), body.toByteArray());
  }

  /** The next line of a chunked body; null at its end. */
  @Nullable String bodyLine() throws IOException {
    var line = new ByteArrayOutputStream();
    while (true) {
      var next = bodyByte();
      if (next < 0) {
        return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
      }
      if (next == '\n') {
        return line.toString(StandardCharsets.UTF_8);
      }
      line.write(next);
    }
  }

  private int bodyByte() throws IOException {
    if (bodyEnded) {
      return -1;
    }
    if (chunkLeft == 0) {
      // The line end behind a chunk may come with the next one, so it is not waited for earlier.
      var size = line();
      chunkLeft = Integer.parseInt(size.isEmpty() ? line() : size, 16);
      if (chunkLeft == 0) {
        line();
        bodyEnded = true;
        return -1;
      }
    }
    var next = in.read();
    if (next < 0) {
      throw new EOFException("the body was cut");
    }
    chunkLeft--;
    return next;
  }

  /** So many bytes behind the head, as they come. */
  byte[] read(int count) throws IOException {
    var bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the connection was closed");
    }
    return bytes;
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    while (true) {
      var next = in.read();
      if (next < 0) {
        throw new EOFException("the connection was closed");
      }
      if (next == '\n') {
        return line.toString(StandardCharsets.UTF_8).replace("\r", "");
      }
      line.write(next);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
