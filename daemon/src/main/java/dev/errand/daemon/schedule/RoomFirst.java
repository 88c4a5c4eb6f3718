package dev.errand.daemon.schedule;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.daemon.task.Admission;
import java.util.function.BooleanSupplier;

/** Lets nobody in while the disk has no room for more; what is there already goes on. */
public record RoomFirst(Admission next, BooleanSupplier hasRoom) implements Admission {

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
    if (!hasRoom.getAsBoolean()) {
      throw new ErrandException(
          ErrorCode.INSUFFICIENT_STORAGE,
          "the disk is full, so no task is begun; make room, and it works again by itself");
    }
  }

  @Override
  public void leave(TaskId taskId) {
    next.leave(taskId);
  }
}
