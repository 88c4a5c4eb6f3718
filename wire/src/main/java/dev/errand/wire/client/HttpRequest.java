package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request; it can be sent any number of times. */
record HttpRequest(
    String method,
    String target,
    Map<String, String> headers,
    @Nullable Body body,
    Duration extra) {

  /** What a request carries; written anew each time that it is sent. */
  interface Body {
    long length() throws IOException;

    void writeTo(OutputStream out) throws IOException;

    static Body of(byte[] bytes) {
      return new Body() {
        @Override
        public long length() {
          return bytes.length;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
          out.write(bytes);
        }
      };
    }
  }

  static HttpRequest of(String method, String target) {
    return new HttpRequest(method, target, Map.of(), null, Duration.ZERO);
  }

  HttpRequest header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new HttpRequest(method, target, more, body, extra);
  }

  HttpRequest json(byte[] text) {
    return body(Headers.JSON, Body.of(text));
  }

  HttpRequest body(String type, Body content) {
    return new HttpRequest(method, target, headers, content, extra)
        .header(Headers.CONTENT_TYPE, type);
  }

  /** The answer may take this much longer, because the request asks to wait. */
  HttpRequest waiting(Duration time) {
    return new HttpRequest(method, target, headers, body, time);
  }
}
