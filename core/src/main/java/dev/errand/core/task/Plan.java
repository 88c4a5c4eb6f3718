package dev.errand.core.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When a task may start, and how it relates to other tasks.
 *
 * @param lane the serial queue of its session that it waits in; one task of a lane runs at a time
 * @param after it starts when these ended well, and fails if one did not
 * @param afterAny it starts when these are over, however they ended
 * @param delay the minimum time between spawn and start; zero for none
 * @param batchId shared by tasks that belong together
 * @param quota whether it counts against the session's quota for tasks started by agents' tools
 * @param service whether it is a service, which leaves its lane once it is ready
 * @param parent the task that asked for it, where one did
 * @param depth the number of its ancestors
 * @param above the ancestors of its parent, nearest first
 * @param waited whether the call that asked for it waits for its end, and takes no quota meanwhile
 */
public record Plan(
    @Nullable String lane,
    Priority priority,
    List<TaskId> after,
    List<TaskId> afterAny,
    Duration delay,
    @Nullable String batchId,
    boolean quota,
    boolean service,
    @Nullable TaskId parent,
    int depth,
    List<TaskId> above,
    boolean waited) {

  /** Of a task that stands alone and starts at once. */
  public static final Plan NONE =
      new Plan(
          null,
          Priority.NORMAL,
          List.of(),
          List.of(),
          Duration.ZERO,
          null,
          false,
          false,
          null,
          0,
          List.of());

  /** The part that a view row has, for tasks whose frames are damaged. */
  public static Plan remembered(@Nullable String batchId, @Nullable TaskId parent) {
    return new Plan(
        null,
        Priority.NORMAL,
        List.of(),
        List.of(),
        Duration.ZERO,
        batchId,
        false,
        false,
        parent,
        parent == null ? 0 : 1,
        List.of());
  }

  /** Of a task that no call waits for. */
  public Plan(
      @Nullable String lane,
      Priority priority,
      List<TaskId> after,
      List<TaskId> afterAny,
      Duration delay,
      @Nullable String batchId,
      boolean quota,
      boolean service,
      @Nullable TaskId parent,
      int depth,
      List<TaskId> above) {
    this(
        lane, priority, after, afterAny, delay, batchId, quota, service, parent, depth, above,
        false);
  }

  public Plan {
    after = List.copyOf(after);
    afterAny = List.copyOf(afterAny);
    above = List.copyOf(above);
  }

  /** The order among waiting tasks; a task that waits long enough goes first anyway. */
  public enum Priority {
    LOW,
    NORMAL,
    HIGH;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same, for a task that an agent's tool starts. */
  public Plan counted() {
    return new Plan(
        lane, priority, after, afterAny, delay, batchId, true, service, parent, depth, above,
        waited);
  }

  /** The same, for a task whose end the call waits for. */
  public Plan waitedFor() {
    return new Plan(
        lane, priority, after, afterAny, delay, batchId, quota, service, parent, depth, above,
        true);
  }

  /** The same in this lane. */
  public Plan inLane(@Nullable String name) {
    return new Plan(
        name, priority, after, afterAny, delay, batchId, quota, service, parent, depth, above,
        waited);
  }

  /** The same with the others of this batch. */
  public Plan inBatch(String id) {
    return new Plan(
        lane, priority, after, afterAny, delay, id, quota, service, parent, depth, above, waited);
  }

  /** The same, spawned by a task with this plan. */
  public Plan below(TaskId task, Plan its) {
    return new Plan(
        lane,
        priority,
        after,
        afterAny,
        delay,
        batchId,
        quota,
        service,
        task,
        its.depth + 1,
        its.ancestors(),
        waited);
  }

  /** The tasks above it, the nearest first. */
  public List<TaskId> ancestors() {
    if (parent == null) {
      return List.of();
    }
    var all = new ArrayList<TaskId>();
    all.add(parent);
    all.addAll(above);
    return all;
  }
}
