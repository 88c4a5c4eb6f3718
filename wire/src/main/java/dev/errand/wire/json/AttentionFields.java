package dev.errand.wire.json;

import dev.errand.core.task.Attention;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks what is to be noticed of a new task. Patterns are compiled where they are used. */
final class AttentionFields {
  static final List<String> NAMES = List.of("notify", "watch", "ready_when");

  static final int WATCHERS_MAX = 16;
  static final int PATTERN_CHARS_MAX = 256;

  private static final int PATH_CHARS_MAX = 4_095;
  private static final int URL_CHARS_MAX = 2_000;
  private static final Duration SILENCE_MAX = Duration.ofDays(30);
  private static final Pattern EVENT = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final List<String> CONDITIONS =
      List.of("regex", "port", "http", "file", "silence_ms", "prompt");
  private static final List<String> OF_READINESS =
      List.of("regex", "scope", "port", "http", "file", "silence_ms", "prompt");
  private static final List<String> OF_WATCHER =
      List.of("event", "once", "regex", "scope", "port", "http", "file", "silence_ms", "prompt");

  private final RequestFields body;

  AttentionFields(RequestFields body) {
    this.body = body;
  }

  Attention read() {
    return new Attention(tell(), watchers(), readiness());
  }

  private Attention.Notify tell() {
    if (!body.has("notify")) {
      return Attention.Notify.DONE_ONLY;
    }
    if (body.raw("notify").isBoolean()) {
      return body.bool("notify", true) ? Attention.Notify.DONE_ONLY : Attention.Notify.SILENT;
    }
    var words = List.of("done_only", "state_changes", "silent");
    if (!body.raw("notify").isString() || !words.contains(body.raw("notify").stringValue())) {
      throw body.refuse("notify", "true, false or one of " + String.join(", ", words));
    }
    return Words.of(Attention.Notify.class, body.raw("notify").stringValue());
  }

  private List<Watcher> watchers() {
    if (!body.has("watch")) {
      return List.of();
    }
    var list = body.raw("watch");
    if (!list.isArray() || list.size() > WATCHERS_MAX) {
      throw body.refuse("watch", "an array of at most " + WATCHERS_MAX + " watchers");
    }
    var watchers = new ArrayList<Watcher>();
    for (var item : list) {
      var path = "watch[" + watchers.size() + "]";
      watchers.add(watcher(RequestFields.of(path, item, OF_WATCHER)));
    }
    return watchers;
  }

  private static Watcher watcher(RequestFields fields) {
    var event = fields.requiredText("event", Integer.MAX_VALUE);
    if (!EVENT.matcher(event).matches()) {
      throw fields.refuse("event", "1 to 64 letters, digits, '.', '_', ':' or '-'");
    }
    return new Watcher(event, condition(fields), fields.bool("once", false));
  }

  private @Nullable WatchCondition readiness() {
    return body.has("ready_when") ? condition(body.object("ready_when", OF_READINESS)) : null;
  }

  private static WatchCondition condition(RequestFields fields) {
    var given = CONDITIONS.stream().filter(fields::has).toList();
    if (given.size() != 1) {
      throw RequestFields.invalid(
          "a watcher has just one of %s; this one has %s"
              .formatted(
                  String.join(", ", CONDITIONS),
                  given.isEmpty() ? "none" : String.join(", ", given)));
    }
    if (fields.has("scope") && !given.contains("regex")) {
      throw fields.refuse("scope", "left out: only a regex has one");
    }
    return condition(fields, given.getFirst());
  }

  private static WatchCondition condition(RequestFields fields, String kind) {
    // The names are those of CONDITIONS, and just one of them is there.
    return switch (kind) {
      case "regex" ->
          new WatchCondition.Regex(fields.requiredText("regex", PATTERN_CHARS_MAX), scope(fields));
      case "port" -> new WatchCondition.Port((int) number(fields, "port", 1, 65_535));
      case "http" -> new WatchCondition.Http(fields.requiredText("http", URL_CHARS_MAX));
      case "file" -> new WatchCondition.File(fields.requiredText("file", PATH_CHARS_MAX));
      case "silence_ms" ->
          new WatchCondition.Silence(
              Duration.ofMillis(number(fields, "silence_ms", 1, SILENCE_MAX.toMillis())));
      default -> prompt(fields);
    };
  }

  private static WatchCondition prompt(RequestFields fields) {
    if (!fields.bool("prompt", false)) {
      throw fields.refuse("prompt", "true, or left out");
    }
    return new WatchCondition.Prompt();
  }

  private static long number(RequestFields fields, String name, long min, long max) {
    var value = fields.integer(name, min, max);
    if (value == null) {
      throw fields.refuse(name, "a whole number");
    }
    return value;
  }

  /** Both streams where none is named. */
  private static @Nullable LogStream scope(RequestFields fields) {
    var word = fields.word("scope", List.of("stdout", "stderr", "both"));
    return word == null || word.equals("both") ? null : LogStream.ofWord(word).orElse(null);
  }
}
