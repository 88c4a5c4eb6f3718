package dev.errand.wire.json;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of conditions in requests, with their field names, values and descriptions. Some are
 * for watchers and {@code ready_when}, some for waits.
 */
public enum ConditionKind {
  REGEX("regex", "text", Value.PATTERN, "an RE2 pattern for single lines of the output"),
  SCREEN("screen", "screen", Value.PATTERN, "an RE2 pattern for the screen of its terminal"),
  PORT("port", "port", Value.PORT, "one of its processes listens on this port"),
  HTTP("http", "http", Value.URL, "this local address answers 200"),
  FILE("file", "file", Value.PATH, "this file is there"),
  SILENCE("silence_ms", "idle_ms", Value.MILLIS, "it has written nothing for so long"),
  PROMPT("prompt", "prompt", Value.YES, "it waits at a prompt of its terminal");

  /** Those of watchers and of readiness, in the order in which they are told. */
  public static final List<ConditionKind> WATCHED =
      List.of(REGEX, PORT, HTTP, FILE, SILENCE, PROMPT);

  /** Those that can be waited for, likewise. */
  public static final List<ConditionKind> AWAITED = List.of(REGEX, SCREEN, SILENCE, PORT, PROMPT);

  private static final int PATH_CHARS_MAX = 4_095;
  private static final int URL_CHARS_MAX = 2_000;
  private static final long SILENCE_MS_MAX = 30L * 24 * 3_600_000;

  private final String watchField;
  private final String waitField;
  private final Value value;
  private final String meaning;

  ConditionKind(String watchField, String waitField, Value value, String meaning) {
    this.watchField = watchField;
    this.waitField = waitField;
    this.value = value;
    this.meaning = meaning;
  }

  /** What stands in the field of a kind. */
  public enum Value {
    PATTERN("REGEX", 1, Long.MAX_VALUE),
    PORT("N", 1, 65_535),
    URL("URL", 1, URL_CHARS_MAX),
    PATH("PATH", 1, PATH_CHARS_MAX),
    MILLIS("DURATION", 1, SILENCE_MS_MAX),

    /** Nothing but true. */
    YES("", 1, 1);

    private final String label;
    private final long min;
    private final long max;

    Value(String label, long min, long max) {
      this.label = label;
      this.min = min;
      this.max = max;
    }

    /** How a command line calls it; empty where there is none. */
    public String label() {
      return label;
    }

    /** The bounds of a number. */
    public long min() {
      return min;
    }

    public long max() {
      return max;
    }
  }

  /** Its field in a watcher, in {@code ready_when} and in frames. */
  public String watchField() {
    return watchField;
  }

  /** Its field in {@code until}. */
  public String waitField() {
    return waitField;
  }

  /** What a command line calls it in {@code --ready-when}. */
  public String readyWord() {
    return this == REGEX ? waitField : watchField.replace("_ms", "");
  }

  /** What a command line calls it in {@code --until}. */
  public String untilWord() {
    return waitField.replace("_ms", "");
  }

  public Value value() {
    return value;
  }

  /** When it holds, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The condition in this field, which is there. */
  public WatchCondition read(
      RequestFields fields, String field, @Nullable LogStream stream, int patternCharsMax) {
    return switch (this) {
      case REGEX -> new WatchCondition.Regex(fields.requiredText(field, patternCharsMax), stream);
      case SCREEN -> new WatchCondition.Screen(fields.requiredText(field, patternCharsMax));
      case PORT -> new WatchCondition.Port((int) number(fields, field));
      case HTTP -> new WatchCondition.Http(fields.requiredText(field, URL_CHARS_MAX));
      case FILE -> new WatchCondition.File(fields.requiredText(field, PATH_CHARS_MAX));
      case SILENCE -> new WatchCondition.Silence(Duration.ofMillis(number(fields, field)));
      case PROMPT -> {
        if (!fields.bool(field, false)) {
          throw fields.refuse(field, "true, or left out");
        }
        yield new WatchCondition.Prompt();
      }
    };
  }

  private long number(RequestFields fields, String field) {
    var number = fields.integer(field, value.min, value.max);
    if (number == null) {
      throw fields.refuse(field, "a whole number");
    }
    return number;
  }

  /** As a field of a frame; what is only waited for is in none. */
  static void write(JsonWriter out, WatchCondition condition) {
    switch (condition) {
      case WatchCondition.Regex it -> {
        out.text(REGEX.watchField, it.pattern());
        if (it.scope() != null) {
          out.text("scope", it.scope().word());
        }
      }
      case WatchCondition.Port it -> out.number(PORT.watchField, it.number());
      case WatchCondition.Http it -> out.text(HTTP.watchField, it.url());
      case WatchCondition.File it -> out.text(FILE.watchField, it.path());
      case WatchCondition.Silence it -> out.number(SILENCE.watchField, it.quiet().toMillis());
      case WatchCondition.Prompt _ -> out.bool(PROMPT.watchField, true);
      case WatchCondition.Screen _, WatchCondition.Ready _, WatchCondition.Exit _ ->
          throw new IllegalArgumentException("nobody watches for " + condition);
    }
  }

  /** What a frame has; a prompt where it has a kind that came later. */
  static WatchCondition read(JsonFields in) {
    var kind = WATCHED.stream().filter(it -> in.has(it.watchField)).findFirst().orElse(PROMPT);
    return switch (kind) {
      case REGEX ->
          new WatchCondition.Regex(in.text(kind.watchField), stream(in.textOrNull("scope")));
      case PORT -> new WatchCondition.Port(Math.toIntExact(in.number(kind.watchField)));
      case HTTP -> new WatchCondition.Http(in.text(kind.watchField));
      case FILE -> new WatchCondition.File(in.text(kind.watchField));
      case SILENCE -> new WatchCondition.Silence(Duration.ofMillis(in.number(kind.watchField)));
      case PROMPT, SCREEN -> new WatchCondition.Prompt();
    };
  }

  private static @Nullable LogStream stream(@Nullable String word) {
    return word == null ? null : LogStream.ofWord(word).orElse(null);
  }
}
