package dev.errand.wire.json;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is to be noticed of a task: what may be asked, and how that is recorded. Patterns are
 * compiled where they are used.
 */
final class SpawnWatching {
  private static final int PATTERN_CHARS_MAX = 256;

  private static final RequestField<FieldType.Name> EVENT =
      RequestField.of(
              "event",
              new FieldType.Name(
                  "[A-Za-z0-9._:-]{1,64}", 64, "1 to 64 letters, digits, '.', '_', ':' or '-'"),
              "your name for it")
          .needed();
  private static final RequestField<FieldType.Flag> ONCE =
      RequestField.of("once", new FieldType.Flag(), "tell it once only; default: false");
  private static final RequestField<FieldType.Word> SCOPE =
      RequestField.of(
          "scope",
          new FieldType.Word("stdout", "stderr", "both"),
          "for regex: this stream only; default: both");
  private static final FieldType.Form READINESS = new FieldType.Form("Condition", conditions());
  private static final FieldType.Form WATCHER =
      new FieldType.Form(
          "Watcher",
          Stream.of(List.of(EVENT, ONCE), READINESS.fields())
              .<RequestField<?>>flatMap(List::stream)
              .toList());

  private static final RequestField<FieldType.WordOrFlag> NOTIFY =
      RequestField.of(
          "notify",
          new FieldType.WordOrFlag(List.of("done_only", "state_changes", "silent")),
          "what you are told: done_only (true, the default), state_changes or silent (false)");
  private static final RequestField<FieldType.Forms> WATCH =
      RequestField.of(
          "watch",
          new FieldType.Forms(WATCHER, 16),
          "events to record and tell when something holds: event, once and one condition");
  private static final RequestField<FieldType.Form> READY =
      RequestField.of("ready_when", READINESS, "when it counts as ready, such as {\"port\": 8080}");

  static final List<RequestField<?>> FIELDS = List.of(NOTIFY, WATCH, READY);

  private SpawnWatching() {}

  /** One for each kind; of a pattern also where it is looked for. */
  private static List<RequestField<?>> conditions() {
    var all = new ArrayList<RequestField<?>>();
    for (var kind : ConditionKind.WATCHED) {
      all.add(RequestField.of(kind.watchField(), type(kind.value()), kind.meaning()));
      if (kind == ConditionKind.REGEX) {
        all.add(SCOPE);
      }
    }
    return all;
  }

  private static FieldType type(ConditionKind.Value value) {
    return switch (value) {
      case PATTERN -> new FieldType.Text(PATTERN_CHARS_MAX);
      case URL, PATH -> new FieldType.Text(Math.toIntExact(value.max()));
      case PORT, MILLIS -> new FieldType.Whole(value.min(), value.max());
      case YES -> new FieldType.Flag();
    };
  }

  static WatchSpec read(RequestFields body) {
    return new WatchSpec(tell(body), watchers(body), readiness(body));
  }

  private static WatchSpec.Notify tell(RequestFields body) {
    var name = NOTIFY.name();
    if (!body.has(name)) {
      return WatchSpec.Notify.DONE_ONLY;
    }
    var given = body.raw(name);
    if (given.isBoolean()) {
      return given.booleanValue() ? WatchSpec.Notify.DONE_ONLY : WatchSpec.Notify.SILENT;
    }
    var words = NOTIFY.type().words();
    if (!given.isString() || !words.contains(given.stringValue())) {
      throw body.refuse(name, "true, false or one of " + String.join(", ", words));
    }
    return EnumWords.of(WatchSpec.Notify.class, given.stringValue());
  }

  private static List<Watcher> watchers(RequestFields body) {
    var name = WATCH.name();
    if (!body.has(name)) {
      return List.of();
    }
    var list = body.raw(name);
    var max = WATCH.type().countMax();
    if (!list.isArray() || list.size() > max) {
      throw body.refuse(name, "an array of at most " + max + " watchers");
    }
    var watchers = new ArrayList<Watcher>();
    for (var item : list) {
      var path = name + "[" + watchers.size() + "]";
      watchers.add(watcher(RequestFields.of(path, item, WATCHER.names())));
    }
    return watchers;
  }

  private static Watcher watcher(RequestFields fields) {
    var event = fields.required(EVENT);
    var once = fields.flag(ONCE);
    return new Watcher(event, condition(fields), once != null && once);
  }

  private static @Nullable WatchCondition readiness(RequestFields body) {
    return body.has(READY.name()) ? condition(body.object(READY)) : null;
  }

  private static WatchCondition condition(RequestFields fields) {
    var kinds = ConditionKind.WATCHED.stream().filter(it -> fields.has(it.watchField())).toList();
    if (kinds.size() != 1) {
      throw RequestFields.invalid(
          "a watcher has just one of %s; this one has %s"
              .formatted(names(ConditionKind.WATCHED), kinds.isEmpty() ? "none" : names(kinds)));
    }
    var kind = kinds.getFirst();
    if (fields.has(SCOPE.name()) && kind != ConditionKind.REGEX) {
      throw fields.refuse(SCOPE.name(), "left out: only a regex has one");
    }
    return kind.read(fields, kind.watchField(), scope(fields), PATTERN_CHARS_MAX);
  }

  private static String names(List<ConditionKind> kinds) {
    return String.join(", ", kinds.stream().map(ConditionKind::watchField).toList());
  }

  /** Both streams where none is named. */
  private static @Nullable LogStream scope(RequestFields fields) {
    var word = fields.word(SCOPE);
    return word == null || word.equals("both") ? null : LogStream.ofWord(word).orElse(null);
  }

  /** As fields of the first frame; only what is not as always, so that most frames stay short. */
  static void write(JsonWriter out, WatchSpec watching) {
    if (watching.equals(WatchSpec.NONE)) {
      return;
    }
    out.text("notify", watching.tells().word());
    out.array("watch", all -> watching.watchers().forEach(it -> all.item(one -> watcher(one, it))));
    var ready = watching.readyWhen();
    if (ready != null) {
      out.object("ready_when", it -> ConditionKind.write(it, ready));
    }
    if (watching.fullNotice()) {
      out.bool("full_notice", true);
    }
  }

  private static void watcher(JsonWriter out, Watcher watcher) {
    out.text("event", watcher.event());
    out.bool("once", watcher.once());
    ConditionKind.write(out, watcher.condition());
  }

  /** As a first frame has it, which may be of an older program. */
  static WatchSpec recorded(JsonFields in) {
    if (!in.has("notify")) {
      return WatchSpec.NONE;
    }
    var watchers = new ArrayList<Watcher>();
    for (var node : in.node().path("watch")) {
      var one = new JsonFields(node);
      watchers.add(
          new Watcher(one.text("event", ""), ConditionKind.read(one), one.bool("once", false)));
    }
    return new WatchSpec(
        EnumWords.of(WatchSpec.Notify.class, in.text("notify")),
        watchers,
        in.has("ready_when") ? ConditionKind.read(in.object("ready_when")) : null,
        in.bool("full_notice", false));
  }
}
