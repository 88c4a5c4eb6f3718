package dev.errand.wire.json;

import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks how a new task is to be fitted in among others. */
final class PlanFields {
  static final List<String> NAMES =
      List.of("lane", "priority", "after", "after_any", "delay_ms", "batch_id", "service");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int DEPENDENCIES_MAX = 64;
  private static final Duration DELAY_MAX = Duration.ofDays(30);

  private final RequestFields body;

  PlanFields(RequestFields body) {
    this.body = body;
  }

  Plan read() {
    var priority = body.word("priority", List.of("low", "normal", "high"));
    var delay = body.integer("delay_ms", 0, DELAY_MAX.toMillis());
    var after = ids("after");
    var afterAny = ids("after_any");
    if (after.size() + afterAny.size() > DEPENDENCIES_MAX) {
      throw RequestFields.invalid(
          "after and after_any name %d tasks; at most %d are allowed"
              .formatted(after.size() + afterAny.size(), DEPENDENCIES_MAX));
    }
    return new Plan(
        name("lane"),
        priority == null ? Plan.Priority.NORMAL : Words.of(Plan.Priority.class, priority),
        after,
        afterAny,
        delay == null ? Duration.ZERO : Duration.ofMillis(delay),
        name("batch_id"),
        false,
        body.bool("service", false),
        null,
        0,
        List.of());
  }

  private @Nullable String name(String field) {
    var text = body.text(field, Integer.MAX_VALUE);
    if (text != null && !NAME.matcher(text).matches()) {
      throw body.refuse(field, "1 to 64 letters, digits, '.', '_' or '-'");
    }
    return text;
  }

  private List<TaskId> ids(String field) {
    if (!body.has(field)) {
      return List.of();
    }
    try {
      return body.texts(field).stream().map(TaskId::new).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw body.refuse(field, "an array of whole ids of tasks");
    }
  }
}
