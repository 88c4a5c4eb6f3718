package dev.errand.daemon.verb;

import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;

/** All that can be asked, for the doors. */
public record Verbs(OfTasks tasks) {

  /** What verbs are made of. */
  public record Parts(
      Floor floor, Tasks tasks, TaskViews views, Spawns spawns, ResultReads reads) {}

  /** What is done to tasks. */
  public record OfTasks(
      SpawnTask spawn,
      CancelTask cancel,
      SignalTask signal,
      WriteStdin stdin,
      ResizeTerminal resize,
      ApproveTask approve,
      DenyTask deny,
      RemoveTask remove) {}

  public static Verbs of(Parts parts) {
    return new Verbs(
        new OfTasks(
            new SpawnTask(parts),
            new CancelTask(parts),
            new SignalTask(parts),
            new WriteStdin(parts),
            new ResizeTerminal(parts),
            new ApproveTask(parts),
            new DenyTask(parts),
            new RemoveTask(parts)));
  }
}
