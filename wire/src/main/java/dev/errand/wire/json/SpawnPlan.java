package dev.errand.wire.json;

import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a task is fitted in among others: what may be asked, and how that is recorded. */
final class SpawnPlan {
  private static final FieldType.Name NAME =
      new FieldType.Name("[A-Za-z0-9._-]{1,64}", 64, "1 to 64 letters, digits, '.', '_' or '-'");
  private static final FieldType.Texts IDS = new FieldType.Texts(64);

  private static final RequestField<FieldType.Name> LANE =
      RequestField.of("lane", NAME, "a serial queue of the session: one of a lane runs at a time");
  private static final RequestField<FieldType.Word> PRIORITY =
      RequestField.of(
          "priority",
          new FieldType.Word("low", "normal", "high"),
          "who starts first where several wait; default: normal");
  private static final RequestField<FieldType.Texts> AFTER =
      RequestField.of(
          "after", IDS, "ids of tasks that must have ended well before; 64 with after_any");
  private static final RequestField<FieldType.Texts> AFTER_ANY =
      RequestField.of("after_any", IDS, "ids of tasks that must be over before");
  private static final RequestField<FieldType.Whole> DELAY =
      RequestField.of(
          "delay_ms",
          new FieldType.Whole(0, Duration.ofDays(30).toMillis()),
          "start so much later");
  private static final RequestField<FieldType.Name> BATCH =
      RequestField.of("batch_id", NAME, "shared by tasks that belong together");
  private static final RequestField<FieldType.Flag> SERVICE =
      RequestField.of(
          "service",
          new FieldType.Flag(),
          "a server: it leaves its lane when ready_when holds; without ready_when after 2 s");

  static final List<RequestField<?>> FIELDS =
      List.of(LANE, PRIORITY, AFTER, AFTER_ANY, DELAY, BATCH, SERVICE);

  private SpawnPlan() {}

  static Plan read(RequestFields body) {
    var priority = body.word(PRIORITY);
    var delay = body.integer(DELAY);
    var after = ids(body, AFTER);
    var afterAny = ids(body, AFTER_ANY);
    var count = after.size() + afterAny.size();
    if (count > IDS.countMax()) {
      throw RequestFields.invalid(
          "after and after_any name %d tasks; at most %d are allowed"
              .formatted(count, IDS.countMax()));
    }
    var service = body.flag(SERVICE);
    return new Plan(
        body.name(LANE),
        priority == null ? Plan.Priority.NORMAL : EnumWords.of(Plan.Priority.class, priority),
        after,
        afterAny,
        delay == null ? Duration.ZERO : Duration.ofMillis(delay),
        body.name(BATCH),
        false,
        service != null && service,
        null,
        0,
        List.of());
  }

  private static List<TaskId> ids(RequestFields body, RequestField<FieldType.Texts> field) {
    var name = field.name();
    if (!body.has(name)) {
      return List.of();
    }
    try {
      return body.texts(name).stream().map(TaskId::new).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw body.refuse(name, "an array of whole ids of tasks");
    }
  }

  /** As fields of the first frame; only what is not as always, so that most frames stay short. */
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
    if (plan.waited()) {
      out.bool("waited", true);
    }
  }

  private static List<String> values(List<TaskId> ids) {
    return ids.stream().map(TaskId::value).toList();
  }

  /** As a first frame has it, which may be of an older program. */
  static Plan recorded(JsonFields in) {
    return new Plan(
        in.textOrNull("lane"),
        EnumWords.of(Plan.Priority.class, in.text("priority", "normal")),
        ids(in, "after"),
        ids(in, "after_any"),
        Duration.ofMillis(in.number("delay_ms", 0)),
        in.textOrNull("batch_id"),
        in.bool("quota", false),
        in.bool("service", false),
        id(in.textOrNull("parent_task_id")),
        Math.toIntExact(in.number("depth", 0)),
        ids(in, "ancestor_task_ids"),
        in.bool("waited", false));
  }

  private static List<TaskId> ids(JsonFields in, String name) {
    return in.texts(name).stream().map(TaskId::new).toList();
  }

  private static @Nullable TaskId id(@Nullable String text) {
    return text == null ? null : new TaskId(text);
  }
}
