package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Authorizer;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.Digests;
import dev.errand.daemon.verb.Idempotency;
import dev.errand.daemon.verb.Printable;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** One request to a route: its caller and its content. */
final class Call {
  private final Request request;
  private final Caller caller;
  private final String id;
  private final Door door;
  private final Fields query;
  private final ResponseHooks afterwards;
  private byte @Nullable [] body;
  private boolean onlyReads;

  /** What the door provides for all calls. */
  record Door(HttpSettings settings, Authenticator authenticator, WaitSlots slots) {}

  /** {@code id} is the variable part of the path; empty if it has none. */
  Call(Request request, Caller caller, String id, Door door, ResponseHooks afterwards) {
    this.request = request;
    this.caller = caller;
    this.id = id;
    this.door = door;
    this.query = Request.extractQueryParameters(request);
    this.afterwards = afterwards;
  }

  ResponseHooks afterwards() {
    return afterwards;
  }

  Caller caller() {
    return caller;
  }

  /** The context of a call without a key. */
  Ask asker() {
    return Ask.of(caller, null, door.slots(), afterwards::add);
  }

  /** The context of a call to a verb; a key is unique within a method and a path. */
  Ask ask() throws IOException {
    var content = header(Headers.IDEMPOTENCY_KEY) == null ? new byte[0] : body();
    return ask(() -> Digests.hex(content));
  }

  /**
   * The same for a request that earlier versions identified by this digest; null if only its verb
   * can compute that.
   */
  Ask ask(@Nullable Supplier<String> earlierDigest) {
    var text = header(Headers.IDEMPOTENCY_KEY);
    var key = text == null ? null : new Ask.Key(scope(), text, earlierDigest);
    return Ask.of(caller, key, door.slots(), afterwards::add);
  }

  /** Refuses an invalid key. */
  void checkKey() {
    var text = header(Headers.IDEMPOTENCY_KEY);
    if (text != null && !Idempotency.isKey(text)) {
      throw invalid(Headers.IDEMPOTENCY_KEY + " " + Idempotency.keyRule());
    }
  }

  /** The scope of this call's key. */
  String scope() {
    return method() + "\n" + path();
  }

  /** Marks a call as a read although its route may change something. */
  void onlyReads() {
    onlyReads = true;
  }

  boolean changes() {
    return !onlyReads;
  }

  String method() {
    return request.getMethod();
  }

  String path() {
    return request.getHttpURI().getCanonicalPath();
  }

  String id() {
    return id;
  }

  /** The task of the path; a text that is no id names no task. */
  TaskId taskId() {
    return Authorizer.taskId(id);
  }

  /** Refuses parameters that the route does not know, and repeated ones. */
  void allowQuery(Set<String> names) {
    for (var field : query) {
      if (!names.contains(field.getName())) {
        throw invalid(
            "unknown query parameter "
                + Printable.of(field.getName())
                + "; "
                + (names.isEmpty()
                    ? "this route has none"
                    : "known are: " + String.join(", ", names.stream().sorted().toList())));
      }
      if (field.hasMultipleValues()) {
        throw invalid("the query parameter " + field.getName() + " occurs twice; give it once");
      }
    }
  }

  @Nullable String query(String name) {
    return query.getValue(name);
  }

  boolean queryFlag(String name, boolean whenMissing) {
    var text = query(name);
    if (text == null) {
      return whenMissing;
    }
    return switch (text) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw invalid(name + " must be true or false, not: " + Printable.of(text));
    };
  }

  long queryNumber(String name, long whenMissing, long min, long max) {
    var text = query(name);
    return text == null ? whenMissing : number(name, text, min, max);
  }

  /** The maximum number of items on a page of the answer. */
  int pageLimit(int whenMissing, HttpSettings settings) {
    var max = settings.limits().pageMax();
    return (int) queryNumber(Params.LIMIT, Math.min(whenMissing, max), 1, max);
  }

  static long number(String name, String text, long min, long max) {
    try {
      var value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Refused below, as a number out of bounds.
    }
    throw invalid(
        name
            + " must be a whole number from "
            + min
            + " to "
            + max
            + ", not: "
            + Printable.of(text));
  }

  @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** Whether the caller accepts this content type by name; a wildcard does not count. */
  boolean accepts(String contentType) {
    return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT).stream()
        .anyMatch(it -> it.split(";", 2)[0].trim().equalsIgnoreCase(contentType));
  }

  /** The original query with one parameter changed; for links to the next page. */
  String queryWith(String name, String value) {
    var text = new StringBuilder("?");
    for (var field : query) {
      if (!field.getName().equals(name)) {
        text.append(encode(field.getName())).append('=').append(encode(field.getValue()));
        text.append('&');
      }
    }
    return text.append(encode(name)).append('=').append(encode(value)).toString();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The whole body, read once; a body over the limit is refused without reading it to its end. */
  byte[] body() throws IOException {
    var known = body;
    if (known == null) {
      var bodyBytesMax = door.settings().limits().requestBytesMax();
      var length = request.getLength();
      if (length > bodyBytesMax) {
        throw new ErrandException(
            ErrorCode.TOO_LARGE,
            "the body has more than " + bodyBytesMax + " bytes; send less at once");
      }
      try (var in = bodyStream()) {
        // The room for it is made before it is read: as much as it needs, if its length is known.
        known = Json.readBounded(in, length < 0 ? bodyBytesMax : (int) length);
      }
      body = known;
    }
    return known;
  }

  /**
   * The body, which the caller reads once; its token must stay valid until all of it has arrived.
   */
  InputStream bodyStream() {
    return new BodyInput(
        UnreadBody.stream(request),
        door.settings().times().idle(),
        () -> door.authenticator().checkStillAdmitted(caller),
        door.settings().clock());
  }

  long declaredLength() {
    return request.getLength();
  }

  /** The fields of the body, which may be empty; other fields than these are refused. */
  RequestFields fields(List<String> known) throws IOException {
    var text = body();
    var node = text.length == 0 ? JsonNodeFactory.instance.objectNode() : Json.readRequest(text);
    return RequestFields.of(node, known);
  }

  /** The requested session; null if none was named. */
  @Nullable SessionId namedSession() {
    var text = query(Params.SESSION_ID);
    return text == null ? null : sessionId(Params.SESSION_ID, text);
  }

  static SessionId sessionId(String name, String text) {
    try {
      return new SessionId(text);
    } catch (IllegalArgumentException e) {
      throw invalid(name + ": " + e.getMessage());
    }
  }

  static ErrandException invalid(String detail) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, detail);
  }
}
