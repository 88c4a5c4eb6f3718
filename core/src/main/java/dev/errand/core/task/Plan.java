package dev.errand.core.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a task is fitted in among others.
 *
 * @param lane the serial queue of its session that it waits in; one task of a lane runs at a time
 * @param after it starts when these ended well, and fails if one did not
 * @param afterAny it starts when these are over, however they ended
 * @param delay it starts not before so long after it was spawned; zero for at once
 * @param batchId shared by tasks that belong together
 * @param quota whether it takes one of the few places that a session has for what agents' tools
 *     start
 * @param service whether it is meant to run on, so that it leaves its lane once it is ready
 * @param parent the task that asked for it, where one did
 * @param depth how many tasks stand above it
 * @param above those of them that stand above its parent, the nearest first
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
    List<TaskId> above) {

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

  /** What a view row still knows where the rest cannot be read any more. */
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

  public Plan {
    after = List.copyOf(after);
    afterAny = List.copyOf(afterAny);
    above = List.copyOf(above);
  }

  /** Who goes first where several wait; who waits long enough goes first all the same. */
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
        lane, priority, after, afterAny, delay, batchId, true, service, parent, depth, above);
  }

  /** The same in this lane. */
  public Plan inLane(@Nullable String name) {
    return new Plan(
        name, priority, after, afterAny, delay, batchId, quota, service, parent, depth, above);
  }

  /** The same with the others of this batch. */
  public Plan inBatch(String id) {
    return new Plan(
        lane, priority, after, afterAny, delay, id, quota, service, parent, depth, above);
  }

  /** The same, asked for by a task that was fitted in itself like that. */
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
        its.ancestors());
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
