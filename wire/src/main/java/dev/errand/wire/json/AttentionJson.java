package dev.errand.wire.json;

import dev.errand.core.task.Attention;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.Watcher;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** What is watched of a task and was noticed of it, as fields of its frames. */
final class AttentionJson {

  private AttentionJson() {}

  /** Only what is not as always, so that most frames stay short. */
  static void write(JsonWriter out, Attention attention) {
    if (attention.equals(Attention.NONE)) {
      return;
    }
    out.text("notify", attention.tells().word());
    out.array(
        "watch", all -> attention.watchers().forEach(it -> all.item(one -> watcher(one, it))));
    var ready = attention.readyWhen();
    if (ready != null) {
      out.object("ready_when", it -> ConditionKind.write(it, ready));
    }
    if (attention.fullNotice()) {
      out.bool("full_notice", true);
    }
  }

  private static void watcher(JsonWriter out, Watcher watcher) {
    out.text("event", watcher.event());
    out.bool("once", watcher.once());
    ConditionKind.write(out, watcher.condition());
  }

  static Attention read(JsonFields in) {
    if (!in.has("notify")) {
      return Attention.NONE;
    }
    var watchers = new ArrayList<Watcher>();
    for (var node : in.node().path("watch")) {
      var one = new JsonFields(node);
      watchers.add(
          new Watcher(one.text("event", ""), ConditionKind.read(one), one.bool("once", false)));
    }
    return new Attention(
        Words.of(Attention.Notify.class, in.text("notify")),
        watchers,
        in.has("ready_when") ? ConditionKind.read(in.object("ready_when")) : null,
        in.bool("full_notice", false));
  }

  private static @Nullable LogStream stream(@Nullable String word) {
    return word == null ? null : LogStream.ofWord(word).orElse(null);
  }

  static void hit(JsonWriter out, TaskEvent.WatcherHit hit) {
    out.number("watcher", hit.watcher());
    out.text("event", hit.event());
    var match = hit.match();
    if (match != null) {
      out.text("stream", match.stream().word());
      out.number("offset", match.offset());
      out.number("end_offset", match.end());
    }
    out.text("snippet", hit.snippet());
    out.number("count", hit.count());
    out.number("hits", hit.hits());
  }

  static TaskEvent.WatcherHit readHit(JsonFields in) {
    var stream = stream(in.textOrNull("stream"));
    return new TaskEvent.WatcherHit(
        Math.toIntExact(in.number("watcher")),
        in.text("event", ""),
        stream == null
            ? null
            : new TaskEvent.Match(stream, in.number("offset"), in.number("end_offset")),
        in.text("snippet", ""),
        in.number("count", 1),
        in.number("hits"));
  }

  static void silenced(JsonWriter out, TaskEvent.WatcherSilenced silenced) {
    out.number("watcher", silenced.watcher());
    out.text("event", silenced.event());
    out.text("reason", silenced.reason());
    out.number("hits", silenced.hits());
  }

  static TaskEvent.WatcherSilenced readSilenced(JsonFields in) {
    return new TaskEvent.WatcherSilenced(
        Math.toIntExact(in.number("watcher")),
        in.text("event", ""),
        in.text("reason", ""),
        in.number("hits", 0));
  }
}
