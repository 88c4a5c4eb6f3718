package dev.errand.wire.client;

import dev.errand.core.error.ErrorCode;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Sends requests over pooled connections, and reconnects. */
final class Transport implements AutoCloseable {
  private static final int IDLE_MAX = 8;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final DaemonLocator locator;
  private final ClientOptions options;
  private final Watchdog watchdog = new Watchdog();
  private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean everConnected;
  private volatile boolean closed;

  Transport(DaemonLocator locator, ClientOptions options) {
    this.locator = locator;
    this.options = options;
  }

  /** An exchange that is retried after a lost connection. */
  interface Attempt<T> {
    T run() throws IOException;
  }

  /** Connects, and keeps the connection for the first request. */
  void reach() {
    persist(() -> {
      keep(take());
      return true;
    });
  }

  /** The whole response; a refusal of the daemon is an {@code ErrandException}. */
  BufferedResponse call(HttpRequest request) {
    return persist(() -> {
      try (var response = open(request, options.answerTimeout())) {
        return new BufferedResponse(
            response.headers(), response.readBody(HttpBounds.ANSWER_BYTES_MAX));
      }
    });
  }

  /** Retries until success, refusal, or the end of the patience. */
  <T> T persist(Attempt<T> attempt) {
    var backoff = backoff();
    while (true) {
      try {
        return attempt.run();
      } catch (IOException e) {
        pause(backoff, e);
      }
    }
  }

  Backoff backoff() {
    return new Backoff(options.patience());
  }

  /** Must be called after each lost connection. */
  void pause(Backoff backoff, IOException failure) {
    if (closed) {
      throw new CancellationException("the client is closed");
    }
    // A daemon that was never reached is not restarting, so this fails at once.
    if (!everConnected && !Thread.currentThread().isInterrupted()) {
      throw new NoDaemonException("no daemon can be reached (" + failure + ")", failure);
    }
    backoff.pause(failure);
  }

  /** A successful response with an unread body; no retries. */
  HttpResponse open(HttpRequest request, Duration silence) throws IOException {
    var response = send(request, silence);
    if (response.succeeded()) {
      return response;
    }
    throw refusal(response);
  }

  /** Opens a WebSocket; no retries. */
  WebSocket upgrade(HttpRequest request, Duration silence) throws IOException {
    var key = WebSocket.newKey();
    var response = send(WebSocket.asking(request, key), silence);
    if (response.status() != HttpConnection.SWITCHING_PROTOCOLS) {
      throw refusal(response);
    }
    return WebSocket.of(response, key);
  }

  private static IOException refusal(HttpResponse response) throws IOException {
    try (response) {
      var body = response.readBody(HttpBounds.ANSWER_BYTES_MAX);
      var failure = Problem.decode(response.status(), body).exception();
      // Another daemon takes over, and the request was not begun.
      if (failure.code() == ErrorCode.SHUTTING_DOWN) {
        return new IOException("the daemon is shutting down", failure);
      }
      throw failure;
    }
  }

  private HttpResponse send(HttpRequest request, Duration silence) throws IOException {
    var timeout = options.answerTimeout().plus(request.extra());
    while (true) {
      if (closed) {
        throw new IOException("the client is closed");
      }
      var connection = take();
      var wasUsed = connection.isUsed();
      try {
        return connection.exchange(request, timeout, silence);
      } catch (BadAnswerException e) {
        throw e;
      } catch (IOException e) {
        // The peer closes idle connections: only a fresh one tells whether it is there.
        if (!wasUsed || connection.isTimedOut() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private HttpConnection take() throws IOException {
    var kept = idle.pollFirst();
    if (kept != null) {
      return kept;
    }
    var made = HttpConnection.open(locator.locate(), watchdog, CONNECT_TIMEOUT, this::keep);
    everConnected = true;
    return made;
  }

  private void keep(HttpConnection connection) {
    if (closed || idle.size() >= IDLE_MAX) {
      connection.close();
    } else {
      idle.addFirst(connection);
    }
  }

  Duration silenceMax() {
    return options.silenceMax();
  }

  @Override
  public void close() {
    closed = true;
    watchdog.close();
    if (options.endsWithProcess()) {
      return;
    }
    for (var kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      kept.close();
    }
  }
}
