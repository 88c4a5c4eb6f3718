package dev.errand.daemon.schedule;

import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.task.Hosts;
import java.util.List;

/** Names one host, and does nothing. */
final class OneHost implements Hosts {
  @Override
  public String forNewTasks() {
    return EngineFixture.HOST;
  }

  @Override
  public void entrust(TaskId taskId, Environment secrets) {
    throw new AssertionError("the scheduler keeps no secrets");
  }

  @Override
  public void dropSecrets(TaskId taskId) {}

  @Override
  public void cancel(TaskId taskId, TaskState.Attempt attempt, String reason) {}

  @Override
  public List<Long> endKept(TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept) {
    throw new AssertionError("the scheduler ends nobody");
  }

  @Override
  public Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request) {
    throw new AssertionError("the scheduler sends no signals");
  }

  @Override
  public Applied stdin(TaskId taskId, TaskState.Attempt attempt, StdinRequest request) {
    throw new AssertionError("the scheduler writes to nobody");
  }

  @Override
  public Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request) {
    throw new AssertionError("the scheduler writes to nobody");
  }
}
