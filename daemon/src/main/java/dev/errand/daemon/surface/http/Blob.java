package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.verb.StoredContent;
import dev.errand.wire.http.Headers;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that can be fetched whole or by range. Bytes that never change have an ETag, by which a
 * caller can see that it has them already or that a range still belongs to the same bytes.
 */
record Blob(StoredContent content, long length, @Nullable String etag) {

  static Blob of(StoredContent content) {
    var sha256 = content.sha256();
    return new Blob(content, content.length(), sha256 == null ? null : "\"" + sha256 + "\"");
  }

  Reply reply(Call call) {
    if (etag != null && matches(call.header(HttpHeader.IF_NONE_MATCH.asString()), etag)) {
      return Reply.nothing(HttpStatus.NOT_MODIFIED_304).with(HttpHeader.ETAG.asString(), etag);
    }
    return switch (range(call)) {
      case ByteRange.Whole _ ->
          send(HttpStatus.OK_200, new ByteRange.Part(0, length - 1), Map.of());
      case ByteRange.Part it ->
          send(
              HttpStatus.PARTIAL_CONTENT_206,
              it,
              Map.of(
                  HttpHeader.CONTENT_RANGE.asString(),
                  "bytes " + it.first() + "-" + it.last() + "/" + length));
      case ByteRange.Beyond _ ->
          Problems.of(
                  ErrorCode.RANGE_NOT_SATISFIABLE,
                  "there are " + length + " bytes; ask for a range within them")
              .with(HttpHeader.CONTENT_RANGE.asString(), "bytes */" + length);
    };
  }

  /** A caller that has a part of other bytes gets all of these. */
  private ByteRange range(Call call) {
    var condition = call.header(HttpHeader.IF_RANGE.asString());
    var same = condition == null || condition.equals(etag);
    return ByteRange.of(same ? call.header(HttpHeader.RANGE.asString()) : null, length);
  }

  private Reply send(int status, ByteRange.Part part, Map<String, String> more) {
    var headers = new TreeMap<>(more);
    headers.put(HttpHeader.CONTENT_TYPE.asString(), Headers.OCTET_STREAM);
    headers.put(HttpHeader.CONTENT_LENGTH.asString(), Long.toString(part.length()));
    headers.put(HttpHeader.ACCEPT_RANGES.asString(), "bytes");
    if (etag != null) {
      headers.put(HttpHeader.ETAG.asString(), etag);
    }
    return new Reply.Streamed(
        status, headers, output -> content.copyTo(output::write, part.first(), part.length()));
  }

  private static boolean matches(@Nullable String condition, String etag) {
    if (condition == null) {
      return false;
    }
    for (var each : condition.split(",", -1)) {
      var tag = each.trim();
      if (tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag)) {
        return true;
      }
    }
    return false;
  }
}
