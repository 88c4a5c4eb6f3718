package dev.errand.wire.json;

import dev.errand.core.task.Attention;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks what is to be noticed of a new task. Patterns are compiled where they are used. */
final class AttentionFields {
  static final List<String> NAMES = List.of("notify", "watch", "ready_when");

  static final int WATCHERS_MAX = 16;
  static final int PATTERN_CHARS_MAX = 256;

  private static final Pattern EVENT = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final List<String> CONDITIONS =
      ConditionKind.WATCHED.stream().map(ConditionKind::watchField).toList();
  private static final List<String> OF_READINESS = fields(List.of());
  private static final List<String> OF_WATCHER = fields(List.of("event", "once"));

  private final RequestFields body;

  AttentionFields(RequestFields body) {
    this.body = body;
  }

  private static List<String> fields(List<String> more) {
    var all = new ArrayList<>(more);
    for (var kind : ConditionKind.WATCHED) {
      all.add(kind.watchField());
      if (kind == ConditionKind.REGEX) {
        all.add("scope");
      }
    }
    return List.copyOf(all);
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
    var kinds = ConditionKind.WATCHED.stream().filter(it -> fields.has(it.watchField())).toList();
    if (kinds.size() != 1) {
      throw RequestFields.invalid(
          "a watcher has just one of %s; this one has %s"
              .formatted(
                  String.join(", ", CONDITIONS),
                  kinds.isEmpty()
                      ? "none"
                      : String.join(", ", kinds.stream().map(ConditionKind::watchField).toList())));
    }
    var kind = kinds.getFirst();
    if (fields.has("scope") && kind != ConditionKind.REGEX) {
      throw fields.refuse("scope", "left out: only a regex has one");
    }
    return kind.read(fields, kind.watchField(), scope(fields), PATTERN_CHARS_MAX);
  }

  /** Both streams where none is named. */
  private static @Nullable LogStream scope(RequestFields fields) {
    var word = fields.word("scope", List.of("stdout", "stderr", "both"));
    return word == null || word.equals("both") ? null : LogStream.ofWord(word).orElse(null);
  }
}
