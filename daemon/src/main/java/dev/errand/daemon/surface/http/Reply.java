package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.ResultPage;
import dev.errand.wire.http.Headers;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.JsonNode;

/** An answer: complete, or written while it is created. */
sealed interface Reply {
  int status();

  Map<String, String> headers();

  @SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
  record Whole(int status, String contentType, Map<String, String> headers, byte[] body)
      implements Reply {
    public Whole {
      headers = Map.copyOf(headers);
    }

    Whole with(String name, String value) {
      var more = new TreeMap<>(headers);
      more.put(name, value);
      return new Whole(status, contentType, more, body);
    }
  }

  /** The content type is one of the headers. */
  record Streamed(int status, Map<String, String> headers, Body body) implements Reply {
    public Streamed {
      headers = Map.copyOf(headers);
    }
  }

  /** No body: from here on the connection is a WebSocket. */
  record Upgraded(AttachSocket socket) implements Reply {
    @Override
    public int status() {
      return HttpStatus.SWITCHING_PROTOCOLS_101;
    }

    @Override
    public Map<String, String> headers() {
      return Map.of();
    }
  }

  /** Writes a body in pieces; each write returns when the kernel has taken it. */
  interface Body {
    void writeTo(BodyOutput output) throws IOException, InterruptedException;
  }

  static Whole json(int status, byte[] body) {
    return new Whole(status, Headers.JSON, Map.of(), body);
  }

  static Whole json(int status, JsonNode body) {
    return json(status, Json.bytes(body));
  }

  static Whole page(List<byte[]> items) {
    return json(HttpStatus.OK_200, Json.arrayOf(items));
  }

  /** With a link to the next page, if there is one, by this parameter. */
  static Whole page(ResultPage<byte[]> page, Call call, String parameter) {
    var next = page.next();
    var reply = page(page.items());
    return next == null ? reply : reply.with(Headers.LINK, Links.next(call, parameter, next));
  }

  static Whole nothing(int status) {
    return new Whole(status, "", Map.of(), new byte[0]);
  }
}
