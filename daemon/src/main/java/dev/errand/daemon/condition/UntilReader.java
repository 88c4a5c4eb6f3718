package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import dev.errand.daemon.pattern.BoundedPattern;
import dev.errand.wire.json.ConditionKind;
import dev.errand.wire.json.RequestFields;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a caller waits for. An error names what is allowed. */
public final class UntilReader {
  /** Each is checked at every change, so more than these are refused. */
  static final int CONDITIONS_MAX = 16;

  private static final String UNTIL = "until";
  private static final String FROM_OFFSET = "from_offset";
  private static final String EXIT = "exit";
  private static final String READY = "ready";
  private static final String ANY = "any";
  private static final String STREAM = "stream";

  /** The fields that this reads. */
  public static final List<String> FIELDS = List.of(UNTIL, FROM_OFFSET);

  private static final List<String> KINDS =
      ConditionKind.AWAITED.stream().map(ConditionKind::waitField).toList();
  private static final List<String> CONDITION_FIELDS =
      Stream.concat(KINDS.stream(), Stream.of(STREAM)).toList();
  private static final List<String> UNTIL_FIELDS =
      Stream.concat(CONDITION_FIELDS.stream(), Stream.of(ANY)).toList();
  private static final List<String> STREAMS =
      Stream.of(LogStream.values()).map(LogStream::word).toList();

  private UntilReader() {}

  public static WaitUntil read(RequestFields body) {
    return new WaitUntil(conditions(body), from(body));
  }

  private static List<WatchCondition> conditions(RequestFields body) {
    if (!body.has(UNTIL)) {
      return List.of(new WatchCondition.Exit());
    }
    var until = body.raw(UNTIL);
    if (!until.isObject() || !until.has(ANY)) {
      return List.of(condition(UNTIL, until, UNTIL_FIELDS));
    }
    var any = RequestFields.of(UNTIL, until, UNTIL_FIELDS);
    if (until.size() > 1) {
      throw RequestFields.invalid("until has any and more; put all conditions into any");
    }
    var listed = any.raw(ANY);
    if (!listed.isArray() || listed.isEmpty() || listed.size() > CONDITIONS_MAX) {
      throw any.refuse(ANY, "an array of 1 to " + CONDITIONS_MAX + " conditions");
    }
    var conditions = new ArrayList<WatchCondition>();
    for (var each : listed) {
      conditions.add(
          condition(UNTIL + "." + ANY + "[" + conditions.size() + "]", each, CONDITION_FIELDS));
    }
    return conditions;
  }

  private static WatchCondition condition(String path, JsonNode node, List<String> known) {
    if (node.isString() && node.stringValue().equals(EXIT)) {
      return new WatchCondition.Exit();
    }
    if (node.isString() && node.stringValue().equals(READY)) {
      return new WatchCondition.Ready();
    }
    if (!node.isObject()) {
      throw RequestFields.invalid(
          path + " is \"exit\", \"ready\" or an object with one of " + String.join(", ", KINDS));
    }
    var fields = RequestFields.of(path, node, known);
    var kinds = ConditionKind.AWAITED.stream().filter(it -> fields.has(it.waitField())).toList();
    if (kinds.size() != 1) {
      throw RequestFields.invalid(
          path
              + (kinds.isEmpty() ? " has none of " : " has more than one of ")
              + String.join(", ", KINDS)
              + "; give one, or several as until: {\"any\": [...]}");
    }
    var kind = kinds.getFirst();
    if (fields.has(STREAM) && kind != ConditionKind.REGEX) {
      throw RequestFields.invalid(path + ".stream goes with text only");
    }
    var field = kind.waitField();
    var condition = kind.read(fields, field, stream(fields), BoundedPattern.CHARS_MAX);
    if (condition instanceof WatchCondition.OfPattern it) {
      checkPattern(fields, field, it.pattern());
    }
    return condition;
  }

  private static void checkPattern(RequestFields fields, String field, String pattern) {
    try {
      var _ = Conditions.compiled(pattern);
    } catch (IllegalArgumentException e) {
      throw fields.refuse(field, "an RE2 pattern: " + e.getMessage());
    }
  }

  private static @Nullable LogStream stream(RequestFields fields) {
    var word = fields.word(STREAM, STREAMS);
    return word == null ? null : LogStream.ofWord(word).orElseThrow();
  }

  /** One number for all logs, or one for each. */
  private static Map<LogStream, Long> from(RequestFields body) {
    var from = new EnumMap<LogStream, Long>(LogStream.class);
    if (!body.has(FROM_OFFSET)) {
      return from;
    }
    var byStream = body.raw(FROM_OFFSET).isObject() ? body.object(FROM_OFFSET, STREAMS) : null;
    for (var stream : LogStream.values()) {
      from.put(
          stream, byStream == null ? offset(body, FROM_OFFSET) : offset(byStream, stream.word()));
    }
    return from;
  }

  private static long offset(RequestFields fields, String name) {
    var offset = fields.integer(name, 0, Long.MAX_VALUE);
    return offset == null ? 0 : offset;
  }
}
