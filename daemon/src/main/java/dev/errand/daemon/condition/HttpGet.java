package dev.errand.daemon.condition;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A GET under way, to one address after the other until one answers with 200. Only the status is
 * read, and only the given addresses are spoken to.
 */
final class HttpGet implements AutoCloseable {
  private static final int OK = 200;
  private static final int INFORMATIONAL_MAX = 199;

  /** Of one line of the head; a longer one is no answer. */
  private static final int LINE_BYTES_MAX = 16 << 10;

  private static final int LINES_MAX = 200;

  private final Map<InetSocketAddress, Socket> sockets = new LinkedHashMap<>();
  private final AtomicReference<@Nullable Boolean> answer = new AtomicReference<>();

  private HttpGet(List<InetSocketAddress> addresses) {
    addresses.forEach(it -> sockets.put(it, new Socket(Proxy.NO_PROXY)));
  }

  static HttpGet start(URI url, List<InetSocketAddress> addresses, Duration atMost) {
    var get = new HttpGet(addresses);
    var millis = (int) atMost.toMillis();
    Thread.ofVirtual().name("http-check").start(() -> get.run(request(url), millis));
    return get;
  }

  /** Null until that is known. */
  @Nullable Boolean isOk() {
    return answer.get();
  }

  private static byte[] request(URI asked) {
    var url = URI.create(asked.toASCIIString());
    var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return ("GET " + path + query + " HTTP/1.1\r\nHost: " + url.getRawAuthority())
        .concat("\r\nUser-Agent: errand\r\nAccept: */*\r\nConnection: close\r\n\r\n")
        .getBytes(US_ASCII);
  }

  private void run(byte[] request, int millis) {
    answer.set(
        sockets.entrySet().stream()
            .anyMatch(it -> isOk(it.getKey(), it.getValue(), request, millis)));
  }

  private static boolean isOk(
      InetSocketAddress address, Socket socket, byte[] request, int millis) {
    try (socket) {
      socket.connect(address, millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(request);
      return status(new BufferedInputStream(socket.getInputStream())) == OK;
    } catch (IOException _) {
      return false;
    }
  }

  /** The first status that is no announcement of another; 0 where there is none. */
  private static int status(InputStream in) throws IOException {
    var status = 0;
    for (var i = 0; i < LINES_MAX; i++) {
      var line = line(in);
      if (status == 0) {
        status = number(line);
        if (status == 0 || status > INFORMATIONAL_MAX) {
          return status;
        }
      } else if (line.isEmpty()) {
        status = 0;
      }
    }
    return 0;
  }

  private static int number(String line) {
    return line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?") ? Integer.parseInt(line, 9, 12, 10) : 0;
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (var next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() >= LINE_BYTES_MAX) {
        throw new IOException("no line of a head");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() {
    for (var socket : sockets.values()) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
