package dev.errand.daemon.access;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;

/** Nobody lays hands on a task that is trusted more than he is. */
public final class Trust {

  private Trust() {}

  /**
   * To be asked before a control: input is as good as a command to a program that reads commands,
   * and an end is an end.
   */
  public static void check(Engine engine, Caller caller, TaskId taskId) {
    if (caller.profile() == Profile.FULL_AUTO
        || !(engine.snapshot(taskId).state() instanceof TaskState.Present it)) {
      return;
    }
    var ruling = it.known().spec().ruling();
    var trusted = ruling == null ? Profile.FULL_AUTO : ruling.profile();
    if (trusted.atMost(caller.profile()) != trusted) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "the task was started as %s; a caller of the profile %s may only look at it"
              .formatted(trusted.word(), caller.profile().word()));
    }
  }
}
