package dev.errand.wire.client;

import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** Something that can be noticed of a running task: for a watcher, or for when it is ready. */
public final class TaskCondition {
  private final Consumer<JsonWriter> fields;

  private TaskCondition(Consumer<JsonWriter> fields) {
    this.fields = fields;
  }

  /** An RE2 pattern occurs in a line of the output. */
  public static TaskCondition regex(String pattern) {
    return new TaskCondition(out -> out.text("regex", pattern));
  }

  /** A process of the task listens on this TCP port. */
  public static TaskCondition port(int number) {
    return new TaskCondition(out -> out.number("port", number));
  }

  /** This address of the same machine answers 200. */
  public static TaskCondition http(String url) {
    return new TaskCondition(out -> out.text("http", url));
  }

  /** There is such a file; a relative path is one from the task's folder. */
  public static TaskCondition file(String path) {
    return new TaskCondition(out -> out.text("file", path));
  }

  /** Nothing was written for so long. */
  public static TaskCondition silence(Duration quiet) {
    return new TaskCondition(out -> out.number("silence_ms", quiet.toMillis()));
  }

  /** The terminal seems to wait for someone to answer. */
  public static TaskCondition prompt() {
    return new TaskCondition(out -> out.bool("prompt", true));
  }

  void writeTo(JsonWriter object) {
    fields.accept(object);
  }
}
