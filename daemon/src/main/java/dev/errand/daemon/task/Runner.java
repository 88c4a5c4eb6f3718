package dev.errand.daemon.task;

import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.io.IOException;

/**
 * Who carries out the tasks of one kind. It does what is recorded, and reports what became of it by
 * commands; it decides nothing that the core decides. Here is only what every kind has in common.
 *
 * @param <S> how a task stands while this runner has it
 */
public interface Runner<S extends TaskState.Live> {

  /**
   * The claim that gives this runner one more task. Fails where it could not start any now, so that
   * none is recorded as its.
   */
  TaskCommand.Claim claim();

  /** A claim is recorded, so a start is due. Returns at once; a second time it does no harm. */
  void start(TaskId taskId, S claimed);

  /**
   * Brings a recorded cancel to who carries the task out; returns when it is delivered, or right
   * away where that cannot be now and will be as soon as it can.
   */
  void end(TaskId taskId, S state, String reason);

  /**
   * To be called once, before anything is claimed: takes up the tasks that an earlier daemon left
   * it, and settles those that cannot go on.
   */
  void recover() throws IOException, InterruptedException;
}
