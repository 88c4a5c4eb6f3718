package dev.errand.daemon.tool;

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
    return schema
        .text("regex", "an RE2 pattern for single lines of the output")
        .words("scope", "for regex: this stream only", List.of("stdout", "stderr", "both"))
        .integer("port", "one of its processes listens on this port", 1, 65_535)
        .text("http", "this local address answers 200")
        .text("file", "this file is there")
        .integer("silence_ms", "it has written nothing for so long", 1, DELAY_MS_MAX)
        .bool("prompt", "it waits at a prompt of its terminal");
  }
}
