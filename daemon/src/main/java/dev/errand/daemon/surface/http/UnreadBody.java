package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rest of a body that was answered before it was read. A connection that is closed with
 * unread bytes is reset, and the reset may overtake the answer: a caller that sent too much would
 * see a broken connection instead of the error.
 */
final class UnreadBody {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadBody.class);

  private static final long BYTES_MAX = 64L * 1024 * 1024;
  private static final String STREAM = UnreadBody.class.getName() + ".stream";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private UnreadBody() {}

  /**
   * The body as a stream, the same one for each reader of it. Closing it before its end would abort
   * the connection before the answer.
   */
  static InputStream stream(Request request) {
    if (request.getAttribute(STREAM) instanceof InputStream known) {
      return known;
    }
    var stream = Content.Source.asInputStream(request);
    request.setAttribute(STREAM, stream);
    return stream;
  }

  /** Reads until the end, or until a limit of size or time. */
  static void passOver(Request request, Time clock) {
    if (request.getAttribute(STREAM) == null && hasNoMore(request)) {
      return;
    }
    var begun = clock.ticks();
    try (var in = stream(request)) {
      if (in.read() < 0) {
        return;
      }
      var bytes = new byte[8192];
      var left = BYTES_MAX;
      while (left > 0 && clock.ticks() - begun < PATIENCE.toNanos()) {
        var read = in.read(bytes);
        if (read < 0) {
          return;
        }
        left -= read;
      }
    } catch (IOException e) {
      LOG.debug("the rest of an answered request cannot be read", e);
    }
  }

  /** Of a body that was not read. A client that waits for 100 Continue has sent nothing yet. */
  private static boolean hasNoMore(Request request) {
    return request.getHeaders().contains(HttpHeader.EXPECT) || isAllRead(request);
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
