package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.ConditionKind;
import dev.errand.wire.json.JsonWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The conditions of a wait, of which any one ends it, and where in the logs to begin. */
public final class Until {
  private final List<Condition> conditions;
  private final Map<LogStream, Long> from;

  private Until(List<Condition> conditions, Map<LogStream, Long> from) {
    this.conditions = List.copyOf(conditions);
    this.from = Map.copyOf(from);
  }

  /** One condition; how it is written as an item of a list. */
  private interface Condition {
    void writeTo(JsonWriter list);
  }

  private static Until object(Condition condition) {
    return new Until(List.of(condition), Map.of());
  }

  /** Of any kind that has a text. */
  public static Until of(ConditionKind kind, String text) {
    return object(list -> list.item(it -> it.text(kind.waitField(), text)));
  }

  /** Of any kind that has a number. */
  public static Until of(ConditionKind kind, long number) {
    return object(list -> list.item(it -> it.number(kind.waitField(), number)));
  }

  /** Of any kind that has no value. */
  public static Until of(ConditionKind kind) {
    return object(list -> list.item(it -> it.bool(kind.waitField(), true)));
  }

  /** The task is over. */
  public static Until exit() {
    return object(list -> list.item("exit"));
  }

  /** An RE2 pattern occurs in the output, on any stream. */
  public static Until text(String pattern) {
    return of(ConditionKind.REGEX, pattern);
  }

  /** An RE2 pattern occurs in the output of one stream. */
  public static Until text(String pattern, LogStream stream) {
    return object(list -> list.item(it -> it.text("text", pattern).text("stream", stream.word())));
  }

  /** An RE2 pattern occurs on the screen of a task with a terminal. */
  public static Until screen(String pattern) {
    return of(ConditionKind.SCREEN, pattern);
  }

  /** Nothing was written for this long. */
  public static Until idle(Duration quiet) {
    return of(ConditionKind.SILENCE, quiet.toMillis());
  }

  /** A process of the task listens on this TCP port. */
  public static Until port(int number) {
    return of(ConditionKind.PORT, number);
  }

  /** The terminal seems to wait for someone to answer; a good guess, not a proof. */
  public static Until prompt() {
    return of(ConditionKind.PROMPT);
  }

  /** The {@code ready_when} condition of the task is met. */
  public static Until ready() {
    return object(list -> list.item("ready"));
  }

  /** Any of these; the result has the index of the first that is met. */
  public static Until any(Until... alternatives) {
    var all = Stream.of(alternatives).flatMap(it -> it.conditions.stream()).toList();
    var from = new EnumMap<LogStream, Long>(LogStream.class);
    Stream.of(alternatives).forEach(it -> it.from.forEach((at, n) -> from.merge(at, n, Math::min)));
    return new Until(all, from);
  }

  /** Text is searched from this byte of the stream's log on, not from its beginning. */
  public Until from(LogStream stream, long offset) {
    var changed = new EnumMap<LogStream, Long>(LogStream.class);
    changed.putAll(from);
    changed.put(stream, offset);
    return new Until(conditions, changed);
  }

  void writeTo(JsonWriter out) {
    out.object(
        "until", until -> until.array("any", list -> conditions.forEach(it -> it.writeTo(list))));
    if (!from.isEmpty()) {
      out.object("from_offset", it -> from.forEach((at, offset) -> it.number(at.word(), offset)));
    }
  }
}
