package dev.errand.wire.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Problem details (RFC 9457): a code for programs, a sentence for people, and the numbers that a
 * caller can use.
 */
public record Problem(
    String title,
    int status,
    String detail,
    String code,
    boolean retryable,
    Map<String, Long> facts) {
  private static final String TYPE_PREFIX = "urn:errand:problem:";
  private static final int SHOWN_CHARS_MAX = 500;
  private static final List<String> OWN_MEMBERS =
      List.of("type", "title", "status", "detail", "code", "retryable");

  public Problem {
    facts = Map.copyOf(facts);
  }

  /** The failure with this HTTP status. */
  public static Problem of(ErrandException failure, int status) {
    var message = failure.getMessage();
    return of(failure.code(), status, message == null ? "" : message, failure.facts());
  }

  public static Problem of(ErrorCode code, int status, String detail, Map<String, Long> facts) {
    return new Problem(title(code), status, detail, code.name(), code.retryable(), facts);
  }

  private static String title(ErrorCode code) {
    var words = code.name().replace('_', ' ').toLowerCase(Locale.ROOT);
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  public String type() {
    return TYPE_PREFIX + code.toLowerCase(Locale.ROOT);
  }

  public byte[] encode() {
    return JsonWriter.object(out -> {
      out.text("type", type());
      out.text("title", title);
      out.number("status", status);
      out.text("detail", detail);
      out.text("code", code);
      out.bool("retryable", retryable);
      new TreeMap<>(facts).forEach(out::number);
    });
  }

  /** Reads the body of a failed answer, also one that is no problem detail at all. */
  public static Problem decode(int status, byte[] body) {
    JsonFields in;
    try {
      in = new JsonFields(Json.read(body));
    } catch (ErrandException e) {
      return foreign(status, body);
    }
    var code = in.textOrNull("code");
    if (code == null) {
      return foreign(status, body);
    }
    return new Problem(
        in.text("title", code),
        status,
        in.text("detail", ""),
        code,
        in.bool("retryable", false),
        facts(in));
  }

  private static Problem foreign(int status, byte[] body) {
    var text = new String(body, StandardCharsets.UTF_8);
    var shown = text.substring(0, Math.min(text.length(), SHOWN_CHARS_MAX));
    var detail = "HTTP status " + status + (shown.isBlank() ? "" : ": " + shown.strip());
    return of(ErrorCode.INTERNAL_ERROR, status, detail, Map.of());
  }

  private static Map<String, Long> facts(JsonFields in) {
    var facts = new TreeMap<String, Long>();
    for (var name : in.node().propertyNames()) {
      var value = in.numberOrNull(name);
      if (value != null && !OWN_MEMBERS.contains(name)) {
        facts.put(name, value);
      }
    }
    return facts;
  }

  /** The failure again, as it was before it went over the wire. */
  public ErrandException exception() {
    for (var known : ErrorCode.values()) {
      if (known.name().equals(code)) {
        return new ErrandException(known, detail, facts);
      }
    }
    return new ErrandException(ErrorCode.INTERNAL_ERROR, code + ": " + detail, facts);
  }
}
