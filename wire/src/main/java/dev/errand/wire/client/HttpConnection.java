package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** One HTTP/1.1 connection: one request at a time, kept open between them where the peer agrees. */
final class HttpConnection implements AutoCloseable {
  static final int SWITCHING_PROTOCOLS = 101;
  private static final int HEAD_LINE_BYTES_MAX = 16 * 1024;
  private static final int HEADER_COUNT_MAX = 100;
  private static final int WRITE_BUFFER_BYTES = 16 * 1024;

  private final Address address;
  private final SocketChannel channel;
  private final Watchdog watchdog;
  private final Consumer<HttpConnection> whenIdle;
  private final HttpInput in;
  private volatile long deadlineNanos;
  private volatile Duration silenceMax = Duration.ZERO;
  private volatile boolean timedOut;
  private boolean used;
  private boolean reusable;

  private HttpConnection(
      Address address,
      SocketChannel channel,
      Watchdog watchdog,
      Consumer<HttpConnection> whenIdle) {
    this.address = address;
    this.channel = channel;
    this.watchdog = watchdog;
    this.whenIdle = whenIdle;
    this.in = new HttpInput(channel, this::heard);
  }

  /**
   * Connects; a connection that can be used again is handed to {@code whenIdle} between requests.
   */
  static HttpConnection open(
      Address address, Watchdog watchdog, Duration timeout, Consumer<HttpConnection> whenIdle)
      throws IOException {
    var connection = new HttpConnection(address, address.open(), watchdog, whenIdle);
    connection.expectWithin(timeout);
    watchdog.watch(connection);
    try {
      connection.channel.connect(address.socketAddress());
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    } finally {
      watchdog.release(connection);
    }
  }

  /** Whether a request was answered on it before: the peer may have closed it since. */
  boolean isUsed() {
    return used;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  boolean isTimedOut() {
    return timedOut;
  }

  private void expectWithin(Duration time) {
    deadlineNanos = System.nanoTime() + time.toNanos();
  }

  /** Limits the silence of the peer. */
  void limitSilence(Duration time) {
    silenceMax = time;
    expectWithin(time);
    watchdog.watch(this);
  }

  /** The peer sent bytes: restarts the silence limit. */
  private void heard() {
    expectWithin(silenceMax);
  }

  /**
   * Sends the request and reads the head of its answer, which may take {@code timeout}; after that
   * the body may pause for {@code silence}.
   */
  HttpResponse exchange(HttpRequest request, Duration timeout, Duration silence)
      throws IOException {
    silenceMax = silence;
    expectWithin(timeout);
    watchdog.watch(this);
    try {
      write(request);
      var response = readHead(request);
      used = true;
      return response;
    } catch (IOException e) {
      close();
      throw timedOut ? new IOException("no answer within " + timeout.toSeconds() + " s", e) : e;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void write(HttpRequest request) throws IOException {
    var head = new StringBuilder(256);
    head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(address.host()).append("\r\n");
    if (address.token() != null) {
      append(head, Headers.AUTHORIZATION, "Bearer " + address.token());
    }
    request.headers().forEach((name, value) -> append(head, name, value));
    var body = request.body();
    if (body != null) {
      append(head, Headers.CONTENT_LENGTH, Long.toString(body.length()));
    } else if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      append(head, Headers.CONTENT_LENGTH, "0");
    }
    head.append("\r\n");
    var out = new BufferedOutputStream(new ChannelOutput(), WRITE_BUFFER_BYTES);
    out.write(head.toString().getBytes(StandardCharsets.UTF_8));
    if (body != null) {
      body.writeTo(out);
    }
    out.flush();
  }

  private static void append(StringBuilder head, String name, String value) {
    if (value.chars().anyMatch(it -> it < ' ')) {
      throw new IllegalArgumentException("the header " + name + " contains a control character");
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private HttpResponse readHead(HttpRequest request) throws IOException {
    var status = readStatus();
    var headers = readHeaders();
    while (status < 200 && status != SWITCHING_PROTOCOLS) {
      status = readStatus();
      headers = readHeaders();
    }
    var keeps = !headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT).contains("close");
    reusable = false;
    var switched = status == SWITCHING_PROTOCOLS;
    var bodiless = switched || request.method().equals("HEAD") || status == 204 || status == 304;
    Runnable atEnd = () -> reusable = keeps;
    if (bodiless && !switched) {
      atEnd.run();
    }
    var body = bodiless ? InputStream.nullInputStream() : HttpBodies.of(headers, in, atEnd);
    return new HttpResponse(status, headers, body, this);
  }

  private int readStatus() throws IOException {
    var line = headLine();
    var parts = line.split(" ", 3);
    if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || parts[1].length() != 3) {
      throw new BadAnswerException("the answer is not HTTP/1.1");
    }
    try {
      return Integer.parseInt(parts[1]);
    } catch (NumberFormatException e) {
      throw new BadAnswerException("the answer has no status: " + line);
    }
  }

  private Map<String, String> readHeaders() throws IOException {
    var headers = new HashMap<String, String>();
    for (var line = headLine(); !line.isEmpty(); line = headLine()) {
      var colon = line.indexOf(':');
      if (colon < 1 || headers.size() == HEADER_COUNT_MAX) {
        throw new BadAnswerException("the answer has a wrong header, or too many");
      }
      var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      headers.put(name, line.substring(colon + 1).strip());
    }
    return headers;
  }

  private String headLine() throws IOException {
    var line = HttpInput.line(in, HEAD_LINE_BYTES_MAX);
    if (line == null) {
      throw new EOFException("the connection ended before the answer");
    }
    return line;
  }

  /** The input after a switch to another protocol. */
  InputStream input() {
    return in;
  }

  /** Where the other protocol is written to, by one thread at a time; nothing is buffered. */
  OutputStream output() {
    return new ChannelOutput();
  }

  /** Ends the exchange: the connection waits for the next one, or is dropped. */
  void done() {
    watchdog.release(this);
    if (reusable && channel.isOpen()) {
      reusable = false;
      whenIdle.accept(this);
    } else {
      close();
    }
  }

  /** Called by the watchdog; the reader gets an exception. */
  void timeOut() {
    timedOut = true;
    close();
  }

  @Override
  public void close() {
    watchdog.release(this);
    try {
      channel.close();
    } catch (IOException e) {
      // A failed close needs no handling.
    }
  }

  /** A long body read slowly is not silence, so the deadline never comes nearer. */
  private void extend() {
    deadlineNanos = Math.max(deadlineNanos, System.nanoTime() + silenceMax.toNanos());
  }

  private final class ChannelOutput extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      var buffer = ByteBuffer.wrap(bytes, offset, length);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      extend();
    }
  }
}
