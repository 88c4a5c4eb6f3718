package dev.errand.daemon.surface.http;

import dev.errand.wire.http.Headers;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.MimeTypes;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that two readers could understand differently: a proxy that checks one meaning
 * and a daemon that follows the other would let a request pass that neither allows.
 */
final class AmbiguityCheck {
  static final String SEC_FETCH_SITE = "Sec-Fetch-Site";

  /** Headers that affect a request; each may occur at most once. */
  private static final List<String> ONCE =
      List.of(
          HttpHeader.AUTHORIZATION.asString(),
          HttpHeader.ORIGIN.asString(),
          SEC_FETCH_SITE,
          Headers.IDEMPOTENCY_KEY,
          Headers.LAST_EVENT_ID,
          HttpHeader.RANGE.asString(),
          HttpHeader.CONTENT_TYPE.asString());

  private AmbiguityCheck() {}

  /** Must be called before anything else; the server itself refuses what RFC 9112 forbids. */
  static void check(Request request) {
    for (var name : ONCE) {
      if (isRepeated(name, request.getHeaders())) {
        throw Call.invalid("the header " + name + " occurs more than once; send it once");
      }
    }
    checkEncoding(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
    var path = request.getHttpURI().getPath();
    if (path != null) {
      checkPath(path);
    }
  }

  /** Runs before every request; the server's own look-up makes a list for each name. */
  private static boolean isRepeated(String name, HttpFields headers) {
    var occurs = false;
    for (var header : headers) {
      if (header.is(name)) {
        if (occurs) {
          return true;
        }
        occurs = true;
      }
    }
    return false;
  }

  /** A body that claims another encoding than UTF-8 would have two meanings. */
  private static void checkEncoding(@Nullable String contentType) {
    if (contentType == null || !contentType.toLowerCase(Locale.ROOT).contains("json")) {
      return;
    }
    var charset = MimeTypes.getCharsetFromContentType(contentType);
    if (charset != null && !charset.equalsIgnoreCase(MimeTypes.UTF8)) {
      throw Call.invalid(
          "Content-Type has " + charset + ", but JSON must be UTF-8; leave the charset out");
    }
  }

  /** The server refuses encoded dots, empty parts and a double slash. */
  private static void checkPath(String path) {
    if (path.indexOf(';') >= 0) {
      throw Call.invalid("paths have no parameters; remove the ';' and what follows it");
    }
    for (var part : Route.split(path)) {
      if (part.equals(".") || part.equals("..")) {
        throw Call.invalid("paths are not normalized; write the path without '.' and '..'");
      }
    }
  }
}
