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

/** The runner of commands: the operations that only a process has. */
public interface CommandRunner extends Runner<TaskState.Hosted> {

  /** Stores the values of secret variables for a task that is about to be accepted. */
  void entrust(TaskId taskId, Environment secrets);

  /** The task was not accepted. */
  void dropSecrets(TaskId taskId);

  /**
   * Kills the processes that an ended task was allowed to leave, and their descendants.
   *
   * @return the processes that are still alive
   */
  List<Long> endKept(TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept);

  /** Sends a signal to the task's process group; returns when it is sent and recorded. */
  Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request);

  /** Writes to standard input; returns when the kernel took all of it and it is recorded. */
  Applied input(TaskId taskId, TaskState.Attempt attempt, StdinRequest request);

  /** Changes the size of a terminal; returns when that is done and recorded. */
  Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request);

  /** {@code opId} makes a repeat harmless: the host answers it from its record. */
  record SignalRequest(String opId, String signal, String by) {}

  record ResizeRequest(String opId, TerminalSize size, String by) {}

  /**
   * A write to standard input.
   *
   * @param keys whether these are keys, which only a terminal accepts
   * @param by who writes
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed through once, never compared.
  record StdinRequest(
      String opId, byte[] data, boolean eof, boolean secret, boolean keys, String by) {
    /** The input may be a password. */
    @Override
    public String toString() {
      return "StdinRequest[" + opId + ", " + data.length + " bytes]";
    }
  }

  /**
   * An operation that took effect: the number of its record, and the bytes that were written.
   *
   * @param refusal why the other bytes were not written; null if all were
   */
  record Applied(long record, int bytesWritten, @Nullable ErrandException refusal) {
    public Applied(long record, int bytesWritten) {
      this(record, bytesWritten, null);
    }
  }
}
