package dev.errand.daemon.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runner of commands: what can be done to a process besides. */
public interface CommandRunner extends Runner<TaskState.Hosted> {

  /** Keeps the values of secret variables for a task that is about to be accepted. */
  void entrust(TaskId taskId, Environment secrets);

  /** The task was not accepted after all. */
  void dropSecrets(TaskId taskId);

  /**
   * Kills what a task that is over was allowed to leave, and whatever that has started.
   *
   * @return those that are still alive
   */
  List<Long> endKept(TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept);

  /** Sends a signal to the task's process group; returns when it is sent and written down. */
  Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request);

  /** Writes to standard input; returns when the kernel took all of it and it is written down. */
  Applied input(TaskId taskId, TaskState.Attempt attempt, StdinRequest request);

  /** Gives a terminal another size; returns when it has it and that is written down. */
  Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request);

  /** {@code opId} makes a repeat harmless: the host answers it from its record. */
  record SignalRequest(String opId, String signal, String by) {}

  record ResizeRequest(String opId, TerminalSize size, String by) {}

  /**
   * What is to be written.
   *
   * @param keys whether these are keys, which mean something at a terminal only
   * @param by who writes
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed through once, never compared.
  record StdinRequest(
      String opId, byte[] data, boolean eof, boolean secret, boolean keys, String by) {
    /** What is typed may be a password. */
    @Override
    public String toString() {
      return "StdinRequest[" + opId + ", " + data.length + " bytes]";
    }
  }

  /**
   * An operation that took effect: the number of its record, and the bytes that were taken.
   *
   * @param refusal why the rest of the bytes were not, where they were not
   */
  record Applied(long record, int bytesWritten, @Nullable ErrandException refusal) {
    public Applied(long record, int bytesWritten) {
      this(record, bytesWritten, null);
    }
  }
}
