package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.task.LogStream;
import dev.errand.daemon.pattern.BoundedPattern;
import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a caller waits for. Whatever is not understood is refused with what would be. */
public final class UntilReader {
  /** Each is looked at whenever something happens, so more than these are refused. */
  static final int CONDITIONS_MAX = 16;

  private static final String UNTIL = "until";
  private static final String FROM_OFFSET = "from_offset";
  private static final String EXIT = "exit";
  private static final String READY = "ready";
  private static final String ANY = "any";
  private static final String TEXT = "text";
  private static final String STREAM = "stream";
  private static final String SCREEN = "screen";
  private static final String PROMPT = "prompt";
  private static final String IDLE_MS = "idle_ms";
  private static final String PORT = "port";

  /** The fields that this reads. */
  public static final List<String> FIELDS = List.of(UNTIL, FROM_OFFSET);

  private static final List<String> KINDS = List.of(TEXT, SCREEN, IDLE_MS, PORT, PROMPT);
  private static final List<String> CONDITION_FIELDS =
      Stream.concat(KINDS.stream(), Stream.of(STREAM)).toList();
  private static final List<String> UNTIL_FIELDS =
      Stream.concat(CONDITION_FIELDS.stream(), Stream.of(ANY)).toList();
  private static final List<String> STREAMS =
      Stream.of(LogStream.values()).map(LogStream::word).toList();

  private static final long IDLE_MS_MAX = Duration.ofDays(30).toMillis();
  private static final int PORT_MAX = 65_535;

  private UntilReader() {}

  public static Until read(RequestFields body) {
    return new Until(conditions(body), from(body));
  }

  private static List<Condition> conditions(RequestFields body) {
    if (!body.has(UNTIL)) {
      return List.of(new Condition.Exit());
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
    var conditions = new ArrayList<Condition>();
    for (var each : listed) {
      conditions.add(
          condition(UNTIL + "." + ANY + "[" + conditions.size() + "]", each, CONDITION_FIELDS));
    }
    return conditions;
  }

  private static Condition condition(String path, JsonNode node, List<String> known) {
    if (node.isString() && node.stringValue().equals(EXIT)) {
      return new Condition.Exit();
    }
    if (node.isString() && node.stringValue().equals(READY)) {
      return new Condition.Ready();
    }
    if (!node.isObject()) {
      throw RequestFields.invalid(
          path + " is \"exit\", \"ready\" or an object with one of " + String.join(", ", KINDS));
    }
    var fields = RequestFields.of(path, node, known);
    var kinds = KINDS.stream().filter(fields::has).toList();
    if (kinds.size() != 1) {
      throw RequestFields.invalid(
          path
              + (kinds.isEmpty() ? " has none of " : " has more than one of ")
              + String.join(", ", KINDS)
              + "; give one, or several as until: {\"any\": [...]}");
    }
    var kind = kinds.getFirst();
    if (fields.has(STREAM) && !kind.equals(TEXT)) {
      throw RequestFields.invalid(path + ".stream goes with text only");
    }
    return condition(kind, fields);
  }

  private static Condition condition(String kind, RequestFields fields) {
    return switch (kind) {
      case TEXT -> new Condition.Text(pattern(fields, TEXT), stream(fields));
      case SCREEN -> new Condition.Screen(pattern(fields, SCREEN));
      case PROMPT -> prompt(fields);
      case IDLE_MS -> new Condition.Idle(Duration.ofMillis(number(fields, IDLE_MS, IDLE_MS_MAX)));
      case PORT -> new Condition.Port((int) number(fields, PORT, PORT_MAX));
      default -> throw new IllegalStateException("not a kind: " + kind);
    };
  }

  private static Condition prompt(RequestFields fields) {
    if (!fields.bool(PROMPT, true)) {
      throw fields.refuse(PROMPT, "true, or left out");
    }
    return new Condition.Prompt();
  }

  private static long number(RequestFields fields, String name, long max) {
    var number = fields.integer(name, 1, max);
    if (number == null) {
      throw new IllegalStateException("asked for only where it is there");
    }
    return number;
  }

  private static Pattern pattern(RequestFields fields, String name) {
    var text = fields.requiredText(name, BoundedPattern.CHARS_MAX);
    try {
      // In a log ^ and $ mean lines; who wants the whole says \A and \z.
      return BoundedPattern.compileQuick(text, Pattern.MULTILINE);
    } catch (IllegalArgumentException e) {
      throw fields.refuse(name, "an RE2 pattern: " + e.getMessage());
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
