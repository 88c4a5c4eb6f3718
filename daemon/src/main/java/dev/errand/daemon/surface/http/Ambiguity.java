package dev.errand.daemon.surface.http;

import dev.errand.wire.http.Headers;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what two readers could take for two things: a proxy that looks at one of them and a
 * daemon that follows the other would let a request pass that neither of them allows.
 */
final class Ambiguity {
  static final String SEC_FETCH_SITE = "Sec-Fetch-Site";

  /** Headers on which something hangs here, and of which a request has at most one. */
  private static final List<String> ONCE =
      List.of(
          HttpHeader.AUTHORIZATION.asString(),
          HttpHeader.ORIGIN.asString(),
          SEC_FETCH_SITE,
          Headers.IDEMPOTENCY_KEY,
          Headers.LAST_EVENT_ID,
          HttpHeader.RANGE.asString(),
          HttpHeader.CONTENT_TYPE.asString());

  private Ambiguity() {}

  /** To be asked before anything else; the server itself has refused what RFC 9112 forbids. */
  static void check(Request request) {
    for (var name : ONCE) {
      if (request.getHeaders().getFields(name).size() > 1) {
        throw Call.invalid("the header " + name + " is there more than once; send it once");
      }
    }
    checkEncoding(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
    var path = request.getHttpURI().getPath();
    if (path != null) {
      checkPath(path);
    }
  }

  /** What calls itself JSON in another encoding is one text to who believes it, and one to us. */
  private static void checkEncoding(@Nullable String contentType) {
    if (contentType == null || !contentType.toLowerCase(Locale.ROOT).contains("json")) {
      return;
    }
    var charset = MimeTypes.getCharsetFromContentType(contentType);
    if (charset != null && !charset.equalsIgnoreCase(MimeTypes.UTF8)) {
      throw Call.invalid(
          "Content-Type says " + charset + ", and all JSON is UTF-8 here; leave that out");
    }
  }

  /** Dots in an encoded form are refused by the server, as are empty parts and a double slash. */
  private static void checkPath(String path) {
    if (path.indexOf(';') >= 0) {
      throw Call.invalid("no path has parameters here; leave out the ';' and what follows it");
    }
    for (var part : Route.split(path)) {
      if (part.equals(".") || part.equals("..")) {
        throw Call.invalid("a path is taken as it stands; write it without '.' and '..'");
      }
    }
  }
}
