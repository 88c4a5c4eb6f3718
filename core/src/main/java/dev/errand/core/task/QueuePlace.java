package dev.errand.core.task;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The position of a queued task and what it waits for. It is computed, not recorded: it changes
 * whenever another task changes.
 *
 * @param position from 1, among the tasks that wait for the same thing; 0 if there is no such queue
 * @param behind the task that must change first, if it is a single one
 * @param untilMs the time that a delay ends at; 0 for other reasons
 * @param ahead what comes before it
 */
public record QueuePlace(
    int position, Reason reason, @Nullable TaskId behind, long untilMs, Ahead ahead) {

  /** Without what comes before it. */
  public QueuePlace(int position, Reason reason, @Nullable TaskId behind, long untilMs) {
    this(position, reason, behind, untilMs, Ahead.NOTHING);
  }

  /** The same position, for those who want to know nothing else. */
  public QueuePlace alone() {
    return new QueuePlace(position, reason, behind, untilMs);
  }

  /** What keeps a queued task waiting. */
  public enum Reason {
    /** Another of its lane runs or is before it. */
    LANE,
    SESSION_QUOTA,
    GLOBAL_QUOTA,
    PLACE,
    /** A task that it depends on is not over. */
    AFTER,
    DELAY;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What comes before a queued task.
   *
   * @param count how many tasks wait for the same thing and come first
   * @param limit how many places there are for what it waits for; 0 if that is not counted
   * @param tasks who holds these places, or the tasks that must be over first, the oldest first;
   *     never of another session, unless the task itself named it
   * @param more how many others do
   * @param labels of those of these tasks that have one, and of the task that it is behind
   */
  public record Ahead(
      int count, int limit, List<TaskId> tasks, int more, Map<TaskId, String> labels) {
    /** The limit of tasks that are named; the others are counted. */
    public static final int TASKS_MAX = 5;

    public static final Ahead NOTHING = new Ahead(0, 0, List.of(), 0, Map.of());

    public Ahead {
      tasks = List.copyOf(tasks);
      labels = Map.copyOf(labels);
    }

    /** How many places are taken. */
    public int taken() {
      return tasks.size() + more;
    }

    /** The tasks as a text: {@code 01a1ee27-6b2c-7003 ("build"), 01a1ee27-6b2d-7004 and 3 more}. */
    public String names() {
      var names = tasks.stream().map(this::name).collect(Collectors.joining(", "));
      if (more == 0) {
        return names;
      }
      return names.isEmpty() ? more + " tasks" : names + " and " + more + " more";
    }

    /** One task as a text, with its label if that is known. */
    public String name(TaskId task) {
      var label = labels.get(task);
      return label == null ? task.brief() : task.brief() + " (\"" + label + "\")";
    }
  }
}
