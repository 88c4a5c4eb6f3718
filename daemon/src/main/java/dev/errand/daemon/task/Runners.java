package dev.errand.daemon.task;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import dev.errand.core.task.TaskState;
import java.io.IOException;
import java.util.List;

/** One runner for each kind of task; passes each task to its runner. */
public final class Runners implements CommitListener {
  private final CommandRunner commands;

  public Runners(CommandRunner commands) {
    this.commands = commands;
  }

  /** The runner of commands, for operations that only a process has. */
  CommandRunner commands() {
    return commands;
  }

  /** The claim that assigns a task of that kind to its runner. */
  public TaskCommand.Claim claim(TaskKind kind) {
    return switch (kind) {
      case COMMAND -> commands.claim();
    };
  }

  public void recover() throws IOException, InterruptedException {
    commands.recover();
  }

  /** Passes a recorded cancel to the runner that has the task, if one has it. */
  void end(TaskId taskId, TaskState.Live state, String reason) {
    switch (state) {
      case TaskState.Held _, TaskState.Queued _ -> {}
      case TaskState.Hosted it -> commands.end(taskId, it, reason);
    }
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    switch (after.state()) {
      case TaskState.Claimed it -> {
        if (!isAttempt(before.state(), it.attempt().number())) {
          commands.start(after.taskId(), it);
        }
      }
      case TaskState.Absent _,
          TaskState.Held _,
          TaskState.Queued _,
          TaskState.Running _,
          TaskState.Ended _ -> {}
    }
  }

  private static boolean isAttempt(TaskState state, int number) {
    return state instanceof TaskState.Hosted it && it.attempt().number() == number;
  }
}
