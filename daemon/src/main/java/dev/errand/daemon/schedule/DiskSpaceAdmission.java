package dev.errand.daemon.schedule;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.task.Admission;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Refuses new tasks while the disk has too little free space for their output; accepted tasks go
 * on. {@code shortage} gives the reason, and is empty while there is enough space.
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
  public void callEnded(TaskId taskId) {
    next.callEnded(taskId);
  }

  @Override
  public void leave(TaskId taskId) {
    next.leave(taskId);
  }
}
