package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.ConditionKind;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** A condition of a running task, for a watcher or for its readiness. */
public final class TaskCondition {
  private final Consumer<JsonWriter> fields;

  private TaskCondition(Consumer<JsonWriter> fields) {
    this.fields = fields;
  }

  /** Of any kind that has a text. */
  public static TaskCondition of(ConditionKind kind, String text) {
    return new TaskCondition(out -> out.text(kind.watchField(), text));
  }

  /** Of any kind that has a number. */
  public static TaskCondition of(ConditionKind kind, long number) {
    return new TaskCondition(out -> out.number(kind.watchField(), number));
  }

  /** Of any kind that has no value. */
  public static TaskCondition of(ConditionKind kind) {
    return new TaskCondition(out -> out.bool(kind.watchField(), true));
  }

  /** An RE2 pattern occurs in a line of the output. */
  public static TaskCondition regex(String pattern) {
    return of(ConditionKind.REGEX, pattern);
  }

  /** The same in this stream only. */
  public static TaskCondition regex(String pattern, LogStream stream) {
    return new TaskCondition(
        out -> out.text(ConditionKind.REGEX.watchField(), pattern).text("scope", stream.word()));
  }

  /** A process of the task listens on this TCP port. */
  public static TaskCondition port(int number) {
    return of(ConditionKind.PORT, number);
  }

  /** This address of the same machine answers 200. */
  public static TaskCondition http(String url) {
    return of(ConditionKind.HTTP, url);
  }

  /** There is such a file; a relative path is one from the task's folder. */
  public static TaskCondition file(String path) {
    return of(ConditionKind.FILE, path);
  }

  /** Nothing was written for this long. */
  public static TaskCondition silence(Duration quiet) {
    return of(ConditionKind.SILENCE, quiet.toMillis());
  }

  /** The terminal seems to wait for someone to answer. */
  public static TaskCondition prompt() {
    return of(ConditionKind.PROMPT);
  }

  void writeTo(JsonWriter object) {
    fields.accept(object);
  }
}
