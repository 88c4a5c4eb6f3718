package dev.errand.daemon.schedule;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.task.Admission;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Accepts no task while the disk has no room for its output; what is there already goes on. {@code
 * shortage} says why, and is empty while there is room.
 */
public record DiskSpaceAdmission(Admission next, Supplier<Optional<String>> shortage)
    implements Admission {

  @Override
  public boolean tryEnter(TaskId taskId, TaskSpec spec) {
    checkRoom();
    return next.tryEnter(taskId, spec);
  }

  @Override
  public void checkHeld(TaskSpec spec) {
    checkRoom();
    next.checkHeld(spec);
  }

  private void checkRoom() {
    shortage
        .get()
        .ifPresent(it -> {
          throw new ErrandException(ErrorCode.INSUFFICIENT_STORAGE, it);
        });
  }

  @Override
  public void leave(TaskId taskId) {
    next.leave(taskId);
  }
}
