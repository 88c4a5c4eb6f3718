package dev.errand.wire.json;

import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a task is fitted in among others, as fields of its first frame. */
final class PlanJson {

  private PlanJson() {}

  /** Only what is not as always, so that most frames stay short. */
  static void write(JsonWriter out, Plan plan) {
    if (plan.equals(Plan.NONE)) {
      return;
    }
    out.text("lane", plan.lane());
    out.text("priority", plan.priority().word());
    out.texts("after", values(plan.after()));
    out.texts("after_any", values(plan.afterAny()));
    out.number("delay_ms", plan.delay().toMillis());
    out.text("batch_id", plan.batchId());
    out.bool("quota", plan.quota());
    out.bool("service", plan.service());
    out.text("parent_task_id", plan.parent() == null ? null : plan.parent().value());
    out.number("depth", plan.depth());
    if (!plan.above().isEmpty()) {
      out.texts("ancestor_task_ids", values(plan.above()));
    }
  }

  private static List<String> values(List<TaskId> ids) {
    return ids.stream().map(TaskId::value).toList();
  }

  static Plan read(JsonFields in) {
    return new Plan(
        in.textOrNull("lane"),
        Words.of(Plan.Priority.class, in.text("priority", "normal")),
        ids(in, "after"),
        ids(in, "after_any"),
        Duration.ofMillis(in.number("delay_ms", 0)),
        in.textOrNull("batch_id"),
        in.bool("quota", false),
        in.bool("service", false),
        id(in.textOrNull("parent_task_id")),
        Math.toIntExact(in.number("depth", 0)),
        ids(in, "ancestor_task_ids"));
  }

  private static List<TaskId> ids(JsonFields in, String name) {
    return in.texts(name).stream().map(TaskId::new).toList();
  }

  private static @Nullable TaskId id(@Nullable String text) {
    return text == null ? null : new TaskId(text);
  }
}
