package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Reads the rest of a body that was answered before it was read. A connection that is closed with
 * unread bytes is reset, and the reset may overtake the answer: a caller that sent too much would
 * see a broken connection instead of the error.
 */
final class UnreadBody {
  private static final long BYTES_MAX = 64L * 1024 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private UnreadBody() {}

  /** Reads until the end, or until a limit of size or time. */
  static void passOver(Request request, Time clock) throws IOException {
    // A client that waits for 100 Continue has sent nothing yet.
    if (request.getHeaders().contains(HttpHeader.EXPECT) || isAllRead(request)) {
      return;
    }
    var begun = clock.ticks();
    var bytes = new byte[8192];
    try (var in = Content.Source.asInputStream(request)) {
      var left = BYTES_MAX;
      while (left > 0 && clock.ticks() - begun < PATIENCE.toNanos()) {
        var read = in.read(bytes);
        if (read < 0) {
          return;
        }
        left -= read;
      }
    }
  }

  /** The usual case, detected without waiting. */
  private static boolean isAllRead(Request request) {
    var chunk = request.read();
    if (chunk == null) {
      return false;
    }
    chunk.release();
    return chunk.isLast();
  }
}
