package dev.errand.wire.json;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskEvent;
import org.jspecify.annotations.Nullable;

/** What was noticed of a task, as fields of its frames. */
final class WatchSpecJson {

  private WatchSpecJson() {}

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
