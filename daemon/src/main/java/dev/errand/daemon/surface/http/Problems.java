package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Problem;
import java.util.Map;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/** The HTTP form of failures: RFC 9457 problem details, and the status of each kind. */
final class Problems {
  /** A busy daemon may be free very soon; callers add their own backoff. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private Problems() {}

  static Reply.Whole of(ErrandException failure) {
    var detail = failure.getMessage() == null ? "" : failure.getMessage();
    return of(failure.code(), status(failure.code().kind()), detail, failure.facts());
  }

  static Reply.Whole of(ErrorCode code, String detail) {
    return of(code, status(code.kind()), detail, Map.of());
  }

  static Reply.Whole stopping() {
    return of(ErrorCode.SHUTTING_DOWN, "the daemon is stopping; try again later");
  }

  /** A request that the server could not read. */
  static Reply.Whole of(HttpException refusal) {
    var why = refusal.getReason() == null ? "" : ": " + refusal.getReason();
    return ofStatus(refusal.getCode(), "the request could not be read" + why);
  }

  /** A failure that the server itself found, with the status that it chose. */
  static Reply.Whole ofStatus(int status, String detail) {
    var code =
        switch (status) {
          case HttpStatus.REQUEST_TIMEOUT_408 -> ErrorCode.REQUEST_TIMEOUT;
          case HttpStatus.PAYLOAD_TOO_LARGE_413,
              HttpStatus.URI_TOO_LONG_414,
              HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
              ErrorCode.TOO_LARGE;
          default ->
              HttpStatus.isServerError(status)
                  ? ErrorCode.INTERNAL_ERROR
                  : ErrorCode.INVALID_REQUEST;
        };
    return of(code, status, detail, Map.of());
  }

  private static Reply.Whole of(
      ErrorCode code, int status, String detail, Map<String, Long> facts) {
    var problem = Problem.of(code, status, detail, facts);
    return new Reply.Whole(status, Headers.PROBLEM_JSON, headers(code), problem.encode());
  }

  private static Map<String, String> headers(ErrorCode code) {
    return switch (code.kind()) {
      case UNAUTHENTICATED -> Map.of(HttpHeader.WWW_AUTHENTICATE.asString(), "Bearer");
      case BUSY, RESOURCES -> Map.of(HttpHeader.RETRY_AFTER.asString(), RETRY_AFTER_SECONDS);
      case INVALID, FORBIDDEN, MISSING, METHOD, GONE, CONFLICT, TIMEOUT, TOO_LARGE, RANGE, DAEMON ->
          Map.of();
    };
  }

  private static int status(ErrorCode.Kind kind) {
    return switch (kind) {
      case INVALID -> HttpStatus.BAD_REQUEST_400;
      case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED_401;
      case FORBIDDEN -> HttpStatus.FORBIDDEN_403;
      case MISSING -> HttpStatus.NOT_FOUND_404;
      case METHOD -> HttpStatus.METHOD_NOT_ALLOWED_405;
      case TIMEOUT -> HttpStatus.REQUEST_TIMEOUT_408;
      case CONFLICT -> HttpStatus.CONFLICT_409;
      case GONE -> HttpStatus.GONE_410;
      case TOO_LARGE -> HttpStatus.PAYLOAD_TOO_LARGE_413;
      case RANGE -> HttpStatus.RANGE_NOT_SATISFIABLE_416;
      case BUSY -> HttpStatus.TOO_MANY_REQUESTS_429;
      case RESOURCES -> HttpStatus.SERVICE_UNAVAILABLE_503;
      case DAEMON -> HttpStatus.INTERNAL_SERVER_ERROR_500;
    };
  }
}
