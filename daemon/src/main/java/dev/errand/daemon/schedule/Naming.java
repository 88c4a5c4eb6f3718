package dev.errand.daemon.schedule;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tasks that others wait for: some are named, the rest are counted. */
record Naming(List<TaskId> tasks, int more, Map<TaskId, String> labels) {

  /** The first of these; {@code total} is how many there are with those that are not among them. */
  static Naming of(Collection<QueueEntry> entries, int total) {
    var tasks = new ArrayList<TaskId>();
    var labels = new HashMap<TaskId, String>();
    for (var entry : entries) {
      if (tasks.size() == QueuePlace.Ahead.TASKS_MAX) {
        break;
      }
      tasks.add(entry.id());
      if (entry.label() != null) {
        labels.put(entry.id(), entry.label());
      }
    }
    return new Naming(tasks, Math.max(0, total - tasks.size()), labels);
  }

  /** The same with the label of one more task, if it has one. */
  Naming labelling(QueueEntry entry) {
    if (entry.label() == null) {
      return this;
    }
    var all = new HashMap<>(labels);
    all.put(entry.id(), entry.label());
    return new Naming(tasks, more, all);
  }

  QueuePlace.Ahead ahead(int count, int limit) {
    return new QueuePlace.Ahead(count, limit, tasks, more, labels);
  }

  String text() {
    return ahead(0, 0).names();
  }
}
