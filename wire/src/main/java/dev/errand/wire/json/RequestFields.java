package dev.errand.wire.json;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of an object in a request. Unlike in frames, nothing is skipped: an unknown field or a
 * wrong value is refused with what was found and what is allowed.
 *
 * <p>A missing field and one that is null mean the same.
 */
public final class RequestFields {
  private static final int SHOWN_CHARS_MAX = 60;

  /** More than any daemon lets a task run for. */
  static final Duration TIMEOUT_MAX = Duration.ofDays(365);

  private static final BigDecimal MILLIS = BigDecimal.valueOf(1000);

  private final JsonNode node;
  private final String prefix;

  private RequestFields(JsonNode node, String prefix) {
    this.node = node;
    this.prefix = prefix;
  }

  /** The fields of a body, which must be an object and have none but these. */
  public static RequestFields of(JsonNode body, List<String> known) {
    return of(body, known, Map.of());
  }

  /** The same where wrong names are common: {@code meant} has the right one for each of them. */
  public static RequestFields of(JsonNode body, List<String> known, Map<String, String> meant) {
    if (!body.isObject()) {
      throw invalid("the body is " + kind(body) + "; it must be a JSON object");
    }
    return new RequestFields(body, "").onlyKnown(known, meant);
  }

  /** The fields of a part of a body, which is named in refusals; it has none but these. */
  public static RequestFields of(String path, JsonNode part, List<String> known) {
    if (!part.isObject()) {
      throw invalid(path + " is " + kind(part) + "; it must be a JSON object");
    }
    return new RequestFields(part, path + ".").onlyKnown(known, Map.of());
  }

  private RequestFields onlyKnown(List<String> known, Map<String, String> meant) {
    for (var name : node.propertyNames()) {
      if (!known.contains(name)) {
        var right = meant.get(name);
        throw invalid(
            "there is no field "
                + path(name)
                + (right == null
                    ? "; known are " + String.join(", ", known)
                    : "; write it as " + right));
      }
    }
    return this;
  }

  public boolean has(String name) {
    return node.hasNonNull(name);
  }

  /** The field as it came, for one that may have several forms; missing where there is none. */
  public JsonNode raw(String name) {
    return node.path(name);
  }

  /** The object of that name; one without fields where there is none. */
  public RequestFields object(String name, List<String> known) {
    return object(name, known, Map.of());
  }

  /** The same where wrong names are common: {@code meant} has the right one for each of them. */
  RequestFields object(String name, List<String> known, Map<String, String> meant) {
    var value = node.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return new RequestFields(Json.EMPTY, path(name) + ".");
    }
    if (!value.isObject()) {
      throw refuseKind(name, "a JSON object");
    }
    return new RequestFields(value, path(name) + ".").onlyKnown(known, meant);
  }

  public @Nullable String text(String name, int charsMax) {
    if (!has(name)) {
      return null;
    }
    var value = node.path(name);
    if (!value.isString()) {
      throw refuse(name, "a string");
    }
    var text = checked(path(name), value.stringValue());
    if (text.length() > charsMax) {
      throw invalid(
          path(name)
              + " has "
              + text.length()
              + " characters; at most "
              + charsMax
              + " are allowed");
    }
    return text;
  }

  /** A field of the catalogue, within its bounds; so do those of other types. */
  @Nullable String text(RequestField<FieldType.Text> field) {
    return text(field.name(), field.type().charsMax());
  }

  @Nullable String name(RequestField<FieldType.Name> field) {
    var text = text(field.name(), Integer.MAX_VALUE);
    if (text != null && !field.type().form().matcher(text).matches()) {
      throw refuse(field.name(), field.type().allowed());
    }
    return text;
  }

  String required(RequestField<FieldType.Name> field) {
    var text = name(field);
    if (text == null) {
      throw missing(field.name());
    }
    return text;
  }

  @Nullable String word(RequestField<FieldType.Word> field) {
    return word(field.name(), field.type().words());
  }

  @Nullable Boolean flag(RequestField<FieldType.Flag> field) {
    return boolOrNull(field.name());
  }

  @Nullable Long integer(RequestField<FieldType.Whole> field) {
    return integer(field.name(), field.type().min(), field.type().max());
  }

  @Nullable Duration seconds(RequestField<FieldType.Seconds> field) {
    return seconds(field.name(), field.type().min(), field.type().max());
  }

  @Nullable Duration timeout(RequestField<FieldType.Timeout> field) {
    return timeout(field.name(), field.type().min());
  }

  RequestFields object(RequestField<FieldType.Form> field) {
    return object(field.name(), field.type().names());
  }

  public String requiredText(String name, int charsMax) {
    var text = text(name, charsMax);
    if (text == null) {
      throw missing(name);
    }
    return text;
  }

  private ErrandException missing(String name) {
    return invalid("the field " + path(name) + " is missing; it must be a string");
  }

  /** One of these words, or null. */
  public @Nullable String word(String name, List<String> allowed) {
    var word = text(name, Integer.MAX_VALUE);
    if (word != null && !allowed.contains(word)) {
      throw refuse(name, "one of " + String.join(", ", allowed));
    }
    return word;
  }

  public @Nullable Boolean boolOrNull(String name) {
    if (!has(name)) {
      return null;
    }
    var value = node.path(name);
    if (!value.isBoolean()) {
      throw refuse(name, "true or false");
    }
    return value.booleanValue();
  }

  public boolean bool(String name, boolean whenMissing) {
    var value = boolOrNull(name);
    return value == null ? whenMissing : value;
  }

  public @Nullable Long integer(String name, long min, long max) {
    if (!has(name)) {
      return null;
    }
    var value = node.path(name);
    var fits = value.isIntegralNumber() && value.canConvertToLong();
    if (!fits || value.longValue() < min || value.longValue() > max) {
      throw refuse(name, "a whole number from " + min + " to " + max);
    }
    return value.longValue();
  }

  /** A time in seconds, to the millisecond. */
  public @Nullable Duration seconds(String name, Duration min, Duration max) {
    var allowed = "a number of seconds from " + min.toSeconds() + " to " + max.toSeconds();
    return seconds(name, min, max, allowed);
  }

  /** How long something may run. The setting decides the most, and each daemon has its own. */
  public @Nullable Duration timeout(String name, Duration min) {
    var allowed =
        "a number of seconds from "
            + min.toSeconds()
            + " to tasks.max_timeout_secs, which is 86400 unless it is set";
    return seconds(name, min, TIMEOUT_MAX, allowed);
  }

  /** The same; a refusal says in these words what is allowed. */
  private @Nullable Duration seconds(String name, Duration min, Duration max, String allowed) {
    if (!has(name)) {
      return null;
    }
    var value = node.path(name);
    var seconds = value.isNumber() ? value.decimalValue() : BigDecimal.valueOf(-1);
    if (seconds.compareTo(BigDecimal.valueOf(min.toSeconds())) < 0
        || seconds.compareTo(BigDecimal.valueOf(max.toSeconds())) > 0) {
      throw refuse(name, allowed);
    }
    return Duration.ofMillis(seconds.multiply(MILLIS).longValue());
  }

  public List<String> texts(String name) {
    var value = node.path(name);
    if (!value.isArray()) {
      throw refuseKind(name, "an array of strings");
    }
    var texts = new ArrayList<String>();
    for (var item : value) {
      if (!item.isString()) {
        throw invalid(path(name) + "[" + texts.size() + "] is " + kind(item) + ", not a string");
      }
      texts.add(checked(path(name) + "[" + texts.size() + "]", item.stringValue()));
    }
    return texts;
  }

  /** Names and texts; the texts may be secret, so no refusal repeats one. */
  public Map<String, String> textMap(String name) {
    var value = node.path(name);
    if (has(name) && !value.isObject()) {
      throw invalid(path(name) + " must be an object of strings");
    }
    var texts = new LinkedHashMap<String, String>();
    for (var field : value.properties()) {
      var key = checked("a name in " + path(name), field.getKey());
      if (!field.getValue().isString()) {
        throw invalid(path(name) + "." + key + " is not a string");
      }
      texts.put(key, checked(path(name) + "." + key, field.getValue().stringValue()));
    }
    return texts;
  }

  /** A refusal of this field that says what was found in it. */
  public ErrandException refuse(String name, String allowed) {
    return invalid(path(name) + " is " + shown(node.path(name)) + "; it must be " + allowed);
  }

  /** A refusal that does not repeat the value, which may be a secret in the wrong field. */
  private ErrandException refuseKind(String name, String allowed) {
    return invalid(path(name) + " is " + kind(node.path(name)) + "; it must be " + allowed);
  }

  public static ErrandException invalid(String message) {
    return new ErrandException(ErrorCode.INVALID_REQUEST, message);
  }

  private String path(String name) {
    return prefix + name;
  }

  /** No process can be given a NUL, and no file can hold half a character. */
  private static String checked(String path, String text) {
    if (text.indexOf('\0') >= 0) {
      throw invalid(path + " contains a NUL character (U+0000), which no process can be given");
    }
    if (!Unicode.isWellFormed(text)) {
      throw invalid(path + " contains half of a surrogate pair, which is no character");
    }
    return text;
  }

  private static String shown(JsonNode value) {
    if (value.isMissingNode() || value.isContainer()) {
      return kind(value);
    }
    var text = Json.text(value);
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING -> "missing";
      case OBJECT, POJO -> "an object";
      case ARRAY -> "an array";
      case STRING, BINARY -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> value.booleanValue() ? "true" : "false";
      case NULL -> "null";
    };
  }
}
