package dev.errand.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import dev.errand.wire.http.SseText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A daemon that answers each path with what it was given for it, on a real Unix socket. */
final class FakeDaemon implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  record Request(String method, String target, long lastEventId, String body) {}

  /** An answer of several parts is an event stream, and begins behind the last event. */
  private record Answer(int status, String contentType, List<String> parts) {
    Answer(int status, String contentType, String body) {
      this(status, contentType, List.of(body));
    }

    Answer behind(long lastEventId) {
      var from = (int) Math.min(lastEventId + 1, parts.size());
      return new Answer(status, contentType, String.join("", parts.subList(from, parts.size())));
    }
  }

  private FakeDaemon(ServerSocketChannel listener) {
    this.listener = listener;
    Thread.ofVirtual().start(this::accept);
  }

  static FakeDaemon in(ErrandHome home) throws IOException {
    var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(home.socket()));
    var file = new DaemonFile(4711, null, null, home.socket().toString(), Instant.EPOCH, null);
    Files.write(home.daemonFile(), file.encode());
    return new FakeDaemon(listener)
        .on("GET /version", "{'version':'0.1.0','build':'abc','pid':4711}")
        .on("GET /readyz", "{'status':'ready'}");
  }

  /** What is answered to requests whose method and target begin so; the longest one counts. */
  FakeDaemon on(String request, String json) {
    return on(request, 200, "application/json", json.replace('\'', '"'));
  }

  FakeDaemon on(String request, int status, String contentType, String body) {
    answers.put(request, new Answer(status, contentType, body));
    return this;
  }

  /** The frames of a task, as an event stream that ends behind the last. */
  FakeDaemon frames(String taskId, List<String> frames) {
    var parts = new ArrayList<String>();
    for (var seq = 0; seq < frames.size(); seq++) {
      var json = frames.get(seq).replace('\'', '"').getBytes(UTF_8);
      parts.add(new String(SseText.frame(Integer.toString(seq), json), UTF_8));
    }
    answers.put(
        "GET /tasks/" + taskId + "/events",
        new Answer(200, "text/event-stream", List.copyOf(parts)));
    return this;
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    try {
      while (true) {
        var channel = listener.accept();
        open.add(channel);
        Thread.ofVirtual().start(() -> serve(channel));
      }
    } catch (IOException e) {
      // The daemon was closed.
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      var in = Channels.newInputStream(channel);
      while (true) {
        var request = read(in);
        requests.add(request);
        write(channel, answer(request).behind(request.lastEventId()));
      }
    } catch (IOException e) {
      // The client went.
    }
  }

  private Answer answer(Request request) {
    var line = request.method() + " " + request.target();
    return answers.keySet().stream()
        .filter(line::startsWith)
        .max(java.util.Comparator.comparingInt(String::length))
        .map(answers::get)
        .orElseGet(() ->
            new Answer(
                404,
                "application/problem+json",
                "{\"code\":\"TASK_NOT_FOUND\",\"detail\":\"there is no task of this id\"}"));
  }

  private static Request read(InputStream in) throws IOException {
    var parts = line(in).split(" ", 3);
    var length = 0;
    var lastEventId = -1L;
    for (var header = line(in); !header.isEmpty(); header = line(in)) {
      var name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
      var value = header.substring(header.indexOf(':') + 1).strip();
      switch (name) {
        case "content-length" -> length = Integer.parseInt(value);
        case "last-event-id" -> lastEventId = Long.parseLong(value);
        default -> {}
      }
    }
    return new Request(parts[0], parts[1], lastEventId, new String(in.readNBytes(length), UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (var b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed");
      }
      line.write(b);
    }
    return line.toString(UTF_8).strip();
  }

  private static void write(SocketChannel channel, Answer answer) throws IOException {
    var body = answer.parts().getFirst().getBytes(UTF_8);
    var head =
        "HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(answer.status(), answer.contentType(), body.length);
    var text = ByteBuffer.allocate(head.length() + body.length).put(head.getBytes(UTF_8)).put(body);
    for (text.flip(); text.hasRemaining(); ) {
      channel.write(text);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (var channel : open) {
      channel.close();
    }
  }
}
