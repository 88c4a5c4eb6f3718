package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.daemon.verb.Channel;
import dev.errand.wire.http.CloseCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The WebSocket of one attached client. The server calls it with one event at a time, and reads the
 * next message only on demand, so a client is never ahead of the handling of its input.
 *
 * <p>Public because the server finds its methods by reflection.
 */
public final class AttachSocket implements Session.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(AttachSocket.class);

  /** A client that reads nothing for this long is disconnected; it can resume from its offset. */
  private static final Duration STALLED_MAX = Duration.ofSeconds(30);

  /** The maximum length of the reason in a close frame. */
  private static final int REASON_CHARS_MAX = 100;

  private final Channel channel;
  private final Time clock;
  private final StringBuilder incoming = new StringBuilder();

  /** Opens when the first message to the client is sent, or there will be none. */
  private final CountDownLatch greeted = new CountDownLatch(1);

  private Channel.@Nullable Client attached;
  private @Nullable Session opened;
  private @Nullable Thread thread;
  private boolean refused;
  private volatile long heardTicks;

  AttachSocket(Channel channel, Time clock) {
    this.channel = channel;
    this.clock = clock;
    this.heardTicks = clock.ticks();
  }

  @Override
  public void onWebSocketOpen(Session session) {
    var connection = new SocketConnection(session);
    var client = channel.open(connection);
    attached = client;
    opened = session;
    thread = Thread.ofVirtual().name("attach").start(() -> serve(client, connection));
    session.demand();
  }

  private void serve(Channel.Client client, Channel.Connection connection) {
    try {
      client.serve();
    } catch (ErrandException e) {
      connection.close(CloseCode.TRY_LATER, e.code().name());
    } catch (RuntimeException e) {
      LOG.error("a bug: an attached client is cut", e);
      connection.close(CloseCode.INTERNAL, "a bug; the daemon's log says more");
    } finally {
      greeted.countDown();
    }
  }

  @Override
  public void onWebSocketPartialText(String part, boolean last) {
    heard();
    if (incoming.length() + part.length() > channel.messageBytesMax()) {
      refuse(
          CloseCode.TOO_LARGE,
          "a message has at most " + channel.messageBytesMax() + " bytes; send less at once");
      return;
    }
    incoming.append(part);
    if (last) {
      var text = incoming.toString();
      incoming.setLength(0);
      handle(client -> client.received(text));
    } else {
      demand();
    }
  }

  @Override
  public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
    heard();
    callback.succeed();
    refuse(CloseCode.UNSUPPORTED, "messages to the daemon are text: JSON objects with a type");
  }

  @Override
  public void onWebSocketPong(ByteBuffer payload) {
    heard();
    demand();
  }

  private void refuse(int closeCode, String why) {
    if (!refused) {
      refused = true;
      handle(client -> client.refuse(closeCode, why));
    } else {
      demand();
    }
  }

  private interface Step {
    void take(Channel.Client client) throws IOException, InterruptedException;
  }

  private void handle(Step step) {
    var client = attached;
    if (client == null) {
      return;
    }
    try {
      // The greeting precedes every answer, even if the client sends a message first.
      greeted.await();
      step.take(client);
    } catch (IOException e) {
      LOG.debug("an attached client is gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    demand();
  }

  private void demand() {
    var session = opened;
    if (session != null && session.isOpen()) {
      session.demand();
    }
  }

  private void heard() {
    heardTicks = clock.ticks();
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    LOG.debug("the connection of an attached client failed", cause);
    stop();
  }

  @Override
  public void onWebSocketClose(int status, String reason, Callback callback) {
    callback.succeed();
    stop();
  }

  private void stop() {
    var running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  private final class SocketConnection implements Channel.Connection {
    private final Session session;

    SocketConnection(Session session) {
      this.session = session;
    }

    @Override
    public void binary(ByteBuffer message) throws IOException, InterruptedException {
      send(callback -> session.sendBinary(message, callback));
    }

    @Override
    public void text(byte[] message) throws IOException, InterruptedException {
      send(callback -> session.sendText(new String(message, StandardCharsets.UTF_8), callback));
      greeted.countDown();
    }

    @Override
    public void ping() throws IOException, InterruptedException {
      send(callback -> session.sendPing(ByteBuffer.allocate(0), callback));
    }

    private void send(Consumer<Callback> message) throws IOException, InterruptedException {
      var done = new Signal();
      var sent = Callback.Completable.with(message::accept);
      var _ = sent.whenComplete((_, _) -> done.raise());
      if (!clock.await(done, STALLED_MAX)) {
        session.disconnect();
        throw new IOException("the client reads nothing");
      }
      try {
        sent.get();
      } catch (ExecutionException e) {
        throw new IOException("the client is gone", e);
      }
    }

    @Override
    public long silentNanos() {
      return clock.ticks() - heardTicks;
    }

    @Override
    public boolean isOpen() {
      return session.isOpen();
    }

    @Override
    public void close(int status, String reason) {
      var shown =
          reason.length() <= REASON_CHARS_MAX ? reason : reason.substring(0, REASON_CHARS_MAX);
      session.close(status, shown, Callback.NOOP);
    }
  }
}
