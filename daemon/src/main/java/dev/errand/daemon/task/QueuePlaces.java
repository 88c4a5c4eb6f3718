package dev.errand.daemon.task;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskId;
import java.util.Collection;
import java.util.Map;

/** The positions of queued tasks. */
public interface QueuePlaces {

  /** The positions of those of these tasks that are queued; never waits. */
  Map<TaskId, QueuePlace> places(Collection<TaskId> taskIds);
}
