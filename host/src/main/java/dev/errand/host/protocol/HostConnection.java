package dev.errand.host.protocol;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** One connection on the host's side: one thread reads requests and another writes answers. */
final class HostConnection {
  /** More unsent answers than this mean that the daemon does not read: the connection is closed. */
  private static final int UNSENT_MAX = 10_000;

  private static final Duration FLUSH_MAX = Duration.ofSeconds(2);
  private static final Duration FLUSH_POLL = Duration.ofMillis(1);
  private static final Line.Hint HINT = new Line.Hint();

  private final SocketChannel channel;
  private final HostListener listener;
  private final Time clock;
  private final BlockingQueue<Line> unsent = new LinkedBlockingQueue<>(UNSENT_MAX);
  private final AtomicBoolean hinted = new AtomicBoolean();
  private volatile boolean greeted;

  /** Requests without a sent answer, and unsent hints. */
  private final AtomicInteger owed = new AtomicInteger();

  private final HintPacing pacing = new HintPacing();

  /** A message to send. */
  private sealed interface Line {
    /** There is something to read. */
    record Hint() implements Line {
      private static final byte[] TEXT = "{\"hint\":true}\n".getBytes(StandardCharsets.UTF_8);
    }

    /** These processes live on. */
    record Left(List<HostReply.Left> processes) implements Line {}

    /** An answer, encoded just before it is sent. */
    record Reply(long id, Answer<? extends HostReply> answer) implements Line {}
  }

  HostConnection(SocketChannel channel, HostListener listener, Time clock) {
    this.channel = channel;
    this.listener = listener;
    this.clock = clock;
  }

  void start() {
    Thread.ofPlatform().daemon().name("host-answer").start(this::write);
    Thread.ofPlatform().daemon().name("host-request").start(this::read);
  }

  /** At most one hint waits to be sent: one says as much as many. */
  void hint() {
    if (hinted.compareAndSet(false, true)) {
      owed.incrementAndGet();
      send(HINT);
    }
  }

  /** Sent completely each time, since it is short and rarely changes. */
  void tell(List<HostReply.Left> processes) {
    owed.incrementAndGet();
    send(new Line.Left(processes));
  }

  private void send(Line line) {
    if (!unsent.offer(line)) {
      close();
    }
  }

  private void read() {
    try {
      var lines = new ChannelLines(channel);
      for (var line = lines.next(); line != null; line = lines.next()) {
        take(ProtocolJson.parse(line));
      }
    } catch (IOException | JacksonException e) {
      if (channel.isOpen()) {
        System.err.println("host: reading requests: " + e.getMessage());
      }
    } finally {
      close();
    }
  }

  private void take(JsonNode json) {
    owed.incrementAndGet();
    var id = ProtocolJson.number(json, "id");
    handle(json)
        .whenComplete((answer, failure) -> {
          if (failure != null) {
            System.err.println("host: a request failed: " + failure);
          }
          send(
              new Line.Reply(
                  id, failure == null ? answer : refused(RefusalCode.INTERNAL, failure)));
        });
  }

  private CompletionStage<? extends Answer<? extends HostReply>> handle(JsonNode json) {
    HostRequest request;
    try {
      request = RequestCodec.decode(json);
    } catch (IllegalArgumentException | JacksonException e) {
      return CompletableFuture.completedFuture(refused(RefusalCode.BAD_REQUEST, e));
    }
    if (request instanceof HostRequest.Hello) {
      return listener.handle(request).thenApply(this::greet);
    }
    if (!greeted) {
      var unknown = new IllegalStateException("the first request must be hello");
      return CompletableFuture.completedFuture(refused(RefusalCode.BAD_REQUEST, unknown));
    }
    return listener.handle(request);
  }

  private <T extends Answer<? extends HostReply>> T greet(T answer) {
    if (answer instanceof Answer.Done<?>) {
      greeted = true;
      listener.greeted(this);
    }
    return answer;
  }

  private static Answer<HostReply> refused(String code, Throwable why) {
    return new Answer.Refused<>(code, String.valueOf(why.getMessage()), 0);
  }

  private void write() {
    try {
      while (channel.isOpen()) {
        var line = unsent.take();
        var bytes = ByteBuffer.wrap(encode(line));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        owed.decrementAndGet();
      }
    } catch (IOException _) {
      close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private byte[] encode(Line line) {
    return switch (line) {
      case Line.Hint _ -> {
        pacing.pause();
        // From here on a new record needs a new hint: the daemon may read before that record
        // exists.
        hinted.set(false);
        yield Line.Hint.TEXT;
      }
      case Line.Left(var processes) -> ProtocolJson.line(HostReplyCodec.left(processes));
      case Line.Reply(var id, var answer) -> ProtocolJson.line(HostReplyCodec.encode(id, answer));
    };
  }

  /** Waits until everything is answered and sent, up to a limit. */
  void flush() throws InterruptedException {
    var deadline = clock.ticks() + FLUSH_MAX.toNanos();
    while (owed.get() > 0 && channel.isOpen() && clock.ticks() < deadline) {
      clock.sleep(FLUSH_POLL);
    }
  }

  void close() {
    HostListener.closeQuietly(channel);
    listener.ended(this);
    // Wakes the writing thread, which then finds the channel closed.
    unsent.clear();
    var _ = unsent.offer(HINT);
  }
}
