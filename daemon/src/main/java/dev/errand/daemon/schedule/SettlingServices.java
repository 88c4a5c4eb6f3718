package dev.errand.daemon.schedule;

import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Running services that do not say when they are ready. When one has run for a while without
 * ending, it counts as started, and blocks no other task any more. The start is in the record, so a
 * restart of the daemon changes nothing.
 */
final class SettlingServices {
  private Duration time;
  private final Map<TaskId, Service> all = new HashMap<>();
  private final NavigableSet<Service> byStart =
      new TreeSet<>(Comparator.comparingLong(Service::startedAtMs).thenComparing(Service::taskId));

  private record Service(TaskId taskId, long startedAtMs) {}

  SettlingServices(Duration time) {
    this.time = time;
  }

  void limit(Duration other) {
    time = other;
  }

  void add(TaskId taskId, long startedAtMs) {
    remove(taskId);
    var service = new Service(taskId, startedAtMs);
    all.put(taskId, service);
    byStart.add(service);
  }

  void remove(TaskId taskId) {
    var service = all.remove(taskId);
    if (service != null) {
      byStart.remove(service);
    }
  }

  /** Removes and returns those that have run for long enough. */
  List<TaskId> settled(long nowMs) {
    var settled = new ArrayList<TaskId>();
    while (!byStart.isEmpty() && dueMs(byStart.first()) <= nowMs) {
      var service = byStart.removeFirst();
      all.remove(service.taskId());
      settled.add(service.taskId());
    }
    return settled;
  }

  /** When the next one has run for long enough; null if there is none. */
  @Nullable Long nextDueMs() {
    return byStart.isEmpty() ? null : (Long) dueMs(byStart.first());
  }

  private long dueMs(Service service) {
    return service.startedAtMs() + time.toMillis();
  }
}
