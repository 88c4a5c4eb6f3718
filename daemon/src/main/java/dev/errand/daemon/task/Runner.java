package dev.errand.daemon.task;

import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.io.IOException;

/**
 * Carries out the tasks of one kind. It does what is recorded and reports the results by commands;
 * decisions belong to the core. This interface has only what every kind has in common.
 *
 * @param <S> the states of a task while this runner has it
 */
public interface Runner<S extends TaskState.Live> {

  /**
   * The claim that assigns one more task to this runner. Throws if it could not start a task now,
   * so that none is recorded as its own.
   */
  TaskCommand.Claim claim();

  /** A claim is recorded, so the task must be started. Returns at once; a repeat does no harm. */
  void start(TaskId taskId, S claimed);

  /**
   * Delivers a recorded cancel to the task; returns when it is delivered, or at once if that is not
   * possible now; it is then delivered as soon as possible.
   */
  void end(TaskId taskId, S state, String reason);

  /**
   * Called once, before anything is claimed: continues the tasks that an earlier daemon left, and
   * settles those that cannot continue.
   */
  void recover() throws IOException, InterruptedException;
}
