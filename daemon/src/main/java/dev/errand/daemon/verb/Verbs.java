package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.time.Time;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.task.Batches;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.task.Uploads;
import dev.errand.daemon.webhook.Webhooks;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All that can be asked, for the doors. */
public record Verbs(OfTasks tasks, OfSessions sessions, OfBatches batches) {

  /** What verbs are made of. */
  public record Parts(
      Floor floor,
      Journaled journaled,
      Work work,
      Output output,
      Told told,
      Running running,
      Time clock) {

    /** What is recorded, and who is told that it grows. */
    public record Journaled(Engine engine, Journal journal, Feed feed, FrameCodec codec) {}

    /** Tasks: how they are started and controlled, how they stand, and that results were read. */
    public record Work(
        Tasks tasks, TaskViews views, Spawns spawns, Batches batches, ResultReads reads) {}

    /** What tasks wrote and callers uploaded, and what is waited for in it. */
    public record Output(
        LogStore logs,
        ArtifactStore artifacts,
        Uploads uploads,
        Conditions conditions,
        Screens screens,
        ComputePool compute) {}

    /** Notices: where they are read, how they look, how long a text of them is, who gets them. */
    public record Told(Inbox inbox, NoticeViews views, int textCharsMax, Webhooks webhooks) {}

    /**
     * The daemon itself: why it is not ready, if it is not, and its further numbers by their
     * Prometheus name.
     */
    public record Running(
        Admin admin,
        About about,
        Supplier<Optional<String>> notReady,
        Supplier<Map<String, Number>> gauges,
        Tokens tokens,
        Attachments attachments) {}

    BatchVerbs batchVerbs() {
      return new BatchVerbs(work.batches(), work.views());
    }
  }

  /** What is done to tasks. */
  public record OfTasks(
      SpawnTask spawn,
      CancelTask cancel,
      SignalTask signal,
      WriteStdin stdin,
      ResizeTerminal resize,
      ApproveTask approve,
      DenyTask deny,
      RemoveTask remove,
      AttachTask attach) {

    private static OfTasks of(Parts parts) {
      var signal = new SignalTask(parts);
      var stdin = new WriteStdin(parts);
      var resize = new ResizeTerminal(parts);
      return new OfTasks(
          new SpawnTask(parts),
          new CancelTask(parts),
          signal,
          stdin,
          resize,
          new ApproveTask(parts),
          new DenyTask(parts),
          new RemoveTask(parts),
          new AttachTask(parts, new AttachTask.Controlling(stdin, resize, signal)));
    }
  }

  /** Sessions: the names under which tasks are asked for. */
  public record OfSessions(ListSessions list, ShowSession show, EndSession end) {

    private static OfSessions of(Parts parts) {
      return new OfSessions(new ListSessions(parts), new ShowSession(parts), new EndSession(parts));
    }
  }

  /** Tasks of one batch, taken together. */
  public record OfBatches(ShowBatch show, WaitForBatch await, CancelBatch cancel) {

    private static OfBatches of(Parts parts) {
      return new OfBatches(new ShowBatch(parts), new WaitForBatch(parts), new CancelBatch(parts));
    }
  }

  public static Verbs of(Parts parts) {
    return new Verbs(OfTasks.of(parts), OfSessions.of(parts), OfBatches.of(parts));
  }
}
