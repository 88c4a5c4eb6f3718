package dev.errand.daemon.webhook;

import dev.errand.core.time.Time;
import dev.errand.daemon.output.PlainText;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Posts one body at a time and returns the result; it never follows redirects. */
final class Sender implements AutoCloseable {
  /** Limit of an error message, which may contain text from the target. */
  private static final int REASON_CHARS_MAX = 200;

  private final Duration timeout;
  private final Time clock;
  private @Nullable HttpClient client;

  Sender(Duration timeout, Time clock) {
    this.timeout = timeout;
    this.clock = clock;
  }

  /** The status of the response, or the error. */
  record Answer(@Nullable Integer status, @Nullable String error) {
    boolean accepted() {
      return status != null && status >= 200 && status < 300;
    }
  }

  /** Starts a post, which another thread can cancel. */
  CompletableFuture<HttpResponse<Void>> post(URI uri, Map<String, String> headers, byte[] body) {
    var request =
        HttpRequest.newBuilder(uri)
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::setHeader);
    return client().sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
  }

  /** Waits for the response until the timeout, also if the target sends it slowly. */
  Answer await(CompletableFuture<HttpResponse<Void>> post) throws InterruptedException {
    var limit = clock.after(timeout, () -> post.cancel(true));
    try {
      return new Answer(post.get().statusCode(), null);
    } catch (CancellationException _) {
      return new Answer(null, "no response within " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      return new Answer(null, reason(e.getCause() == null ? e : e.getCause()));
    } finally {
      limit.cancel();
    }
  }

  private static String reason(Throwable failure) {
    if (failure instanceof ConnectException) {
      return "connection refused";
    }
    var message = failure.getMessage();
    var name = failure.getClass().getSimpleName();
    return message == null ? name : PlainText.line(name + ": " + message, REASON_CHARS_MAX);
  }

  /** Created on first use: most daemons send no webhooks. */
  private synchronized HttpClient client() {
    var open = client;
    if (open == null) {
      open =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(timeout)
              .followRedirects(HttpClient.Redirect.NEVER)
              .proxy(HttpClient.Builder.NO_PROXY)
              .build();
      client = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    var open = client;
    if (open != null) {
      open.shutdownNow();
    }
  }
}
