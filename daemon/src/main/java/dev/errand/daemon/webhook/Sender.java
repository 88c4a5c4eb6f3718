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

/** Posts one body at a time and says what came of it; it never follows to another address. */
final class Sender implements AutoCloseable {
  /** A message may repeat what the target sent. */
  private static final int REASON_CHARS_MAX = 200;

  private final Duration timeout;
  private final Time clock;
  private @Nullable HttpClient client;

  Sender(Duration timeout, Time clock) {
    this.timeout = timeout;
    this.clock = clock;
  }

  /** What came of it: the answer's status, or why there is none. */
  record Answer(@Nullable Integer status, @Nullable String error) {
    boolean accepted() {
      return status != null && status >= 200 && status < 300;
    }
  }

  /** A post that is under way, and can be given up from another thread. */
  CompletableFuture<HttpResponse<Void>> post(URI uri, Map<String, String> headers, byte[] body) {
    var request =
        HttpRequest.newBuilder(uri)
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::setHeader);
    return client().sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
  }

  /** Waits for it; a target that answers by drops is not waited for either. */
  Answer await(CompletableFuture<HttpResponse<Void>> post) throws InterruptedException {
    var limit = clock.after(timeout, () -> post.cancel(true));
    try {
      return new Answer(post.get().statusCode(), null);
    } catch (CancellationException _) {
      return new Answer(null, "no answer within " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      return new Answer(null, reason(e.getCause() == null ? e : e.getCause()));
    } finally {
      limit.cancel();
    }
  }

  private static String reason(Throwable failure) {
    if (failure instanceof ConnectException) {
      return "nobody listens there";
    }
    var message = failure.getMessage();
    var name = failure.getClass().getSimpleName();
    return message == null ? name : PlainText.line(name + ": " + message, REASON_CHARS_MAX);
  }

  /** Made on first use: most daemons never send anything. */
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
