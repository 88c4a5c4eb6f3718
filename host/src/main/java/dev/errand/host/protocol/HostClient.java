package dev.errand.host.protocol;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The daemon's end of the connection to one host. Calls block; any number of threads may call, and
 * the host may answer their requests in another order.
 */
public final class HostClient implements AutoCloseable {
  public static final int PROTOCOL = 1;

  /** The feature of a host that can give a task a terminal. */
  public static final String TERMINALS = "pty";

  /**
   * How long an answer may take, including the time for earlier requests. After it the connection
   * is closed, since the outcome of the request is unknown: the owner of the connection opens a new
   * one and asks again.
   */
  public static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  private final SocketChannel channel;
  private final Time clock;
  private final Duration answerMax;
  private final Runnable onHint;
  private final Consumer<List<HostReply.Left>> onLeft;
  private final Runnable onClosed;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whether a check for late answers is scheduled. */
  private final AtomicBoolean watched = new AtomicBoolean();

  private volatile Time.@Nullable Timer watch;

  /** A request, and the time at which it was sent. */
  private record Pending(CompletableFuture<JsonNode> answer, long askedTicks) {}

  private HostClient(
      SocketChannel channel,
      Time clock,
      Duration answerMax,
      Runnable onHint,
      Consumer<List<HostReply.Left>> onLeft,
      Runnable onClosed) {
    this.channel = channel;
    this.clock = clock;
    this.answerMax = answerMax;
    this.onHint = onHint;
    this.onLeft = onLeft;
    this.onClosed = onClosed;
  }

  /**
   * Connects to the host that wrote this address file.
   *
   * @param onHint called when the record file has grown; it runs on the reading thread, so it must
   *     be short
   * @param onClosed called once when the connection is over, for any reason
   */
  public static HostClient connect(Path addressFile, Time clock, Runnable onHint, Runnable onClosed)
      throws HostUnreachable {
    return connect(addressFile, clock, ANSWER_MAX, onHint, _ -> {}, onClosed);
  }

  /**
   * The same, with another limit for answers.
   *
   * @param onLeft receives all processes that live on outside the tasks, at first and whenever that
   *     changes; called by the reading thread
   */
  public static HostClient connect(
      Path addressFile,
      Time clock,
      Duration answerMax,
      Runnable onHint,
      Consumer<List<HostReply.Left>> onLeft,
      Runnable onClosed)
      throws HostUnreachable {
    try {
      var path = Files.readString(addressFile).strip();
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(UnixDomainSocketAddress.of(path));
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      var client = new HostClient(channel, clock, answerMax, onHint, onLeft, onClosed);
      // Not a virtual thread: a caller that waits for the host waits for one thread switch less.
      Thread.ofPlatform().daemon().name("host-answers").start(client::readAnswers);
      return client;
    } catch (IOException e) {
      throw new HostUnreachable("no host answers at " + addressFile, e);
    }
  }

  public Answer<HostReply.Welcome> hello(String journalId, String build)
      throws HostUnreachable, InterruptedException {
    return ask(new HostRequest.Hello(PROTOCOL, journalId, build), HostReplyCodec::welcome);
  }

  public Answer<HostReply.Spawned> spawn(HostRequest.Spawn request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::spawned);
  }

  public Answer<HostReply.Ok> forget(HostRequest.Forget request)
      throws HostUnreachable, InterruptedException {
    return ask(request, _ -> new HostReply.Ok());
  }

  public Answer<HostReply.Cancelling> cancel(HostRequest.Cancel request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::cancelling);
  }

  public Answer<HostReply.Signalled> signal(HostRequest.Signal request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::signalled);
  }

  public Answer<HostReply.StdinWritten> stdin(HostRequest.Stdin request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::stdinWritten);
  }

  public Answer<HostReply.Resized> resize(HostRequest.Resize request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::resized);
  }

  public Answer<HostReply.Swept> sweep(HostRequest.Sweep request)
      throws HostUnreachable, InterruptedException {
    return ask(request, HostReplyCodec::swept);
  }

  public Answer<HostReply.Ok> consumed(long segment) throws HostUnreachable, InterruptedException {
    return ask(new HostRequest.Consumed(segment), _ -> new HostReply.Ok());
  }

  public Answer<HostReply.Statistics> stats() throws HostUnreachable, InterruptedException {
    return ask(new HostRequest.Stats(), HostReplyCodec::statistics);
  }

  public Answer<HostReply.Ok> shutdown(boolean kill) throws HostUnreachable, InterruptedException {
    return ask(new HostRequest.Shutdown(kill), _ -> new HostReply.Ok());
  }

  private <T> Answer<T> ask(HostRequest request, Function<JsonNode, T> reply)
      throws HostUnreachable, InterruptedException {
    var id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    pending.put(id, new Pending(answer, clock.ticks()));
    try {
      watch(answerMax);
      send(ProtocolJson.line(RequestCodec.encode(id, request)));
      return answer(answer.get(), reply);
    } catch (ExecutionException | IOException e) {
      close();
      throw new HostUnreachable("the host did not answer", e);
    } finally {
      pending.remove(id);
    }
  }

  /** One timer serves all waiting requests, so that most of them set none. */
  private void watch(Duration delay) {
    if (watched.compareAndSet(false, true)) {
      watch = clock.after(delay, this::closeIfLate);
    }
  }

  /** Closing also wakes a thread that is blocked in a write because the host does not read. */
  private void closeIfLate() {
    watched.set(false);
    var now = clock.ticks();
    var longest = pending.values().stream().mapToLong(it -> now - it.askedTicks()).max();
    if (longest.isEmpty()) {
      return;
    }
    var left = answerMax.toNanos() - longest.getAsLong();
    if (left <= 0) {
      close();
    } else {
      watch(Duration.ofNanos(left));
    }
  }

  private void send(byte[] line) throws IOException {
    if (line.length > ChannelLines.LINE_BYTES_MAX) {
      throw new IllegalArgumentException("a request of " + line.length + " bytes is too long");
    }
    writing.lock();
    try {
      var bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } finally {
      writing.unlock();
    }
    if (closed.get()) {
      throw new IOException("the connection is closed");
    }
  }

  static <T> Answer<T> answer(JsonNode json, Function<JsonNode, T> reply) {
    if (ProtocolJson.flag(json, "ok")) {
      return new Answer.Done<>(reply.apply(json));
    }
    return new Answer.Refused<>(
        ProtocolJson.text(json, "code"),
        ProtocolJson.text(json, "message"),
        ProtocolJson.number(json, "bytes_written"),
        ProtocolJson.number(json, "n"));
  }

  private void readAnswers() {
    try {
      var lines = new ChannelLines(channel);
      for (var line = lines.next(); line != null; line = lines.next()) {
        take(ProtocolJson.parse(line));
      }
    } catch (IOException | RuntimeException _) {
      // After any failure no answer can be trusted: the connection is closed.
    } finally {
      close();
    }
  }

  private void take(JsonNode message) {
    if (ProtocolJson.flag(message, "hint")) {
      onHint.run();
      return;
    }
    if (message.has(HostReplyCodec.LEFT)) {
      onLeft.accept(HostReplyCodec.left(message));
      return;
    }
    var waiting = pending.get(ProtocolJson.number(message, "id"));
    if (waiting != null) {
      waiting.answer().complete(message);
    }
  }

  /**
   * Whether requests can still be sent; false after a call failed because the host did not answer.
   */
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      channel.close();
    } catch (IOException _) {
      // The connection is unusable either way.
    }
    var timer = watch;
    if (timer != null) {
      timer.cancel();
    }
    pending
        .values()
        .forEach(it -> it.answer().completeExceptionally(new IOException("connection closed")));
    onClosed.run();
  }
}
