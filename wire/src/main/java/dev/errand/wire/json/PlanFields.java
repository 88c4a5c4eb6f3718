package dev.errand.wire.json;

import dev.errand.core.task.Plan;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.List;

/** Checks how a new task is to be fitted in among others. */
final class PlanFields {
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
          "it is meant to run on; it leaves its lane once it is ready");

  static final List<RequestField<?>> FIELDS =
      List.of(LANE, PRIORITY, AFTER, AFTER_ANY, DELAY, BATCH, SERVICE);

  private final RequestFields body;

  PlanFields(RequestFields body) {
    this.body = body;
  }

  Plan read() {
    var priority = body.word(PRIORITY);
    var delay = body.integer(DELAY);
    var after = ids(AFTER);
    var afterAny = ids(AFTER_ANY);
    var count = after.size() + afterAny.size();
    if (count > IDS.countMax()) {
      throw RequestFields.invalid(
          "after and after_any name %d tasks; at most %d are allowed"
              .formatted(count, IDS.countMax()));
    }
    var service = body.flag(SERVICE);
    return new Plan(
        body.name(LANE),
        priority == null ? Plan.Priority.NORMAL : Words.of(Plan.Priority.class, priority),
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

  private List<TaskId> ids(RequestField<FieldType.Texts> field) {
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
}
