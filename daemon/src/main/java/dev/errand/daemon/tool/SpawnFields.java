package dev.errand.daemon.tool;

import dev.errand.wire.json.ConditionKind;
import java.time.Duration;
import java.util.List;

/** Arguments that every tool which starts tasks describes alike. */
public final class SpawnFields {
  private static final long DELAY_MS_MAX = Duration.ofDays(30).toMillis();
  private static final int WATCHERS_MAX = 16;

  private SpawnFields() {}

  /** How the task is fitted in among others. */
  public static Schema planned(Schema schema) {
    return schema
        .text("lane", "a serial queue of the session: one of a lane runs at a time")
        .words("priority", "who starts first where several wait", List.of("low", "normal", "high"))
        .texts("after", "ids of tasks that must have ended well before")
        .texts("after_any", "ids of tasks that must be over before")
        .integer("delay_ms", "start so much later", 0, DELAY_MS_MAX)
        .text("batch_id", "shared by tasks that belong together")
        .bool("service", "it is meant to run on; it leaves its lane once it is ready");
  }

  /** What is to be noticed of it. */
  public static Schema attended(Schema schema) {
    var watcher =
        Schema.object()
            .text("event", "your name for it")
            .bool("once", "tell it once only; default: false");
    return schema
        .wordsOrFlag(
            "notify",
            "what you are told: done_only (true, the default), state_changes or silent (false)",
            List.of("done_only", "state_changes", "silent"))
        .list(
            "watch",
            "events to record and tell when something holds: event, once and one condition",
            condition(watcher),
            WATCHERS_MAX)
        .object(
            "ready_when",
            "when it counts as ready, such as {\"port\": 8080}",
            condition(Schema.object()));
  }

  private static Schema condition(Schema schema) {
    for (var kind : ConditionKind.WATCHED) {
      var field = kind.watchField();
      switch (kind.value()) {
        case PATTERN, URL, PATH -> schema.text(field, kind.meaning());
        case PORT, MILLIS ->
            schema.integer(field, kind.meaning(), kind.value().min(), kind.value().max());
        case YES -> schema.bool(field, kind.meaning());
      }
      if (kind == ConditionKind.REGEX) {
        schema.words("scope", "for regex: this stream only", List.of("stdout", "stderr", "both"));
      }
    }
    return schema;
  }
}
