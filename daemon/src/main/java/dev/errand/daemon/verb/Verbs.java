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
import dev.errand.daemon.condition.LiveProcesses;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.output.LogLines;
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

/** All verbs, for the doors. */
public record Verbs(
    OfTasks tasks,
    OfStatus status,
    OfEvents events,
    OfSessions sessions,
    OfBatches batches,
    OfOutput output,
    OfInboxes inboxes,
    OfWebhooks webhooks,
    OfTokens tokens,
    OfDaemon daemon) {

  /** What verbs are built from. */
  public record Parts(
      Floor floor,
      Journaled journaled,
      Work work,
      Output output,
      Told told,
      Running running,
      Time clock) {

    /** The journal, and the feeds that report its growth. */
    public record Journaled(Engine engine, Journal journal, Feed feed, FrameCodec codec) {}

    /** Tasks: starting, controlling and viewing them, and marking results as read. */
    public record Work(
        Tasks tasks,
        TaskViews views,
        Spawns spawns,
        Batches batches,
        ResultReads reads,
        LiveProcesses processes) {}

    /** The output of tasks, uploads, and waiting for conditions. */
    public record Output(
        LogStore logs,
        ArtifactStore artifacts,
        Uploads uploads,
        Conditions conditions,
        Screens screens,
        ComputePool compute) {}

    /** Notices: reading and encoding them, the length of their text, and webhooks. */
    public record Told(Inbox inbox, NoticeViews views, int textCharsMax, Webhooks webhooks) {}

    /**
     * The daemon itself: why it is not ready, if it is not, and its further metrics by their
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
      return new BatchVerbs(work.batches(), shownTasks());
    }

    ShownTasks shownTasks() {
      return new ShownTasks(work.views(), journaled.journal(), journaled.codec(), work.processes());
    }

    InboxVerbs inboxVerbs() {
      return new InboxVerbs(told);
    }
  }

  /** Changes of tasks. */
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

  /** The status of tasks. */
  public record OfStatus(
      ListTasks list,
      FindTask find,
      ShowTask show,
      WaitForTask await,
      LookAtScreen screen,
      SummarizeSession summary) {
    private static OfStatus of(Parts parts) {
      return new OfStatus(
          new ListTasks(parts),
          new FindTask(parts),
          new ShowTask(parts),
          new WaitForTask(parts),
          new LookAtScreen(parts),
          new SummarizeSession(parts));
    }
  }

  /** Frames: of one task, or of all tasks and their sessions. */
  public record OfEvents(
      ReadEvents read,
      FollowEvents follow,
      OpenEvents open,
      ReadAllEvents readAll,
      FollowAllEvents followAll) {

    private static OfEvents of(Parts parts) {
      return new OfEvents(
          new ReadEvents(parts),
          new FollowEvents(parts),
          new OpenEvents(parts),
          new ReadAllEvents(parts),
          new FollowAllEvents(parts));
    }
  }

  /** Sessions: the names under which callers start tasks. */
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

  /** The notices of sessions. */
  public record OfInboxes(
      ReadInbox read, ReadInboxText readText, FollowInbox follow, AcknowledgeNotices acknowledge) {

    private static OfInboxes of(Parts parts) {
      return new OfInboxes(
          new ReadInbox(parts),
          new ReadInboxText(parts),
          new FollowInbox(parts),
          new AcknowledgeNotices(parts));
    }
  }

  /** The webhooks of sessions. */
  public record OfWebhooks(
      SetWebhook set, ShowWebhook show, RemoveWebhook remove, ListWebhookTries tries) {

    private static OfWebhooks of(Parts parts) {
      return new OfWebhooks(
          new SetWebhook(parts),
          new ShowWebhook(parts),
          new RemoveWebhook(parts),
          new ListWebhookTries(parts));
    }
  }

  /** Tokens, which identify callers. */
  public record OfTokens(MintToken mint, ListTokens list, RotateToken rotate, RevokeToken revoke) {

    private static OfTokens of(Parts parts) {
      return new OfTokens(
          new MintToken(parts),
          new ListTokens(parts),
          new RotateToken(parts),
          new RevokeToken(parts));
    }
  }

  /** The daemon itself. */
  public record OfDaemon(
      CheckReadiness ready,
      ReadMetrics metrics,
      ShowVersion version,
      StopDaemon stop,
      CleanUp cleanUp,
      ShowConfig config,
      ReloadConfig reload,
      ShowProcesses processes,
      EndProcess endProcess) {

    private static OfDaemon of(Parts parts) {
      return new OfDaemon(
          new CheckReadiness(parts),
          new ReadMetrics(parts),
          new ShowVersion(parts),
          new StopDaemon(parts),
          new CleanUp(parts),
          new ShowConfig(parts),
          new ReloadConfig(parts),
          new ShowProcesses(parts),
          new EndProcess(parts));
    }
  }

  /** The output of tasks, and the artifacts of callers. */
  public record OfOutput(
      ReadOutput read,
      ReadLines lines,
      SearchOutput search,
      ReadTail tail,
      OpenOutput open,
      ReadLog log,
      ReadArtifact artifact,
      StoreArtifact store) {

    private static OfOutput of(Parts parts) {
      var lines = new LogLines(parts.output().logs(), parts.clock());
      return new OfOutput(
          new ReadOutput(parts),
          new ReadLines(parts, lines),
          new SearchOutput(parts, lines),
          new ReadTail(parts),
          new OpenOutput(parts),
          new ReadLog(parts),
          new ReadArtifact(parts),
          new StoreArtifact(parts));
    }
  }

  public static Verbs of(Parts parts) {
    return new Verbs(
        OfTasks.of(parts),
        OfStatus.of(parts),
        OfEvents.of(parts),
        OfSessions.of(parts),
        OfBatches.of(parts),
        OfOutput.of(parts),
        OfInboxes.of(parts),
        OfWebhooks.of(parts),
        OfTokens.of(parts),
        OfDaemon.of(parts));
  }
}
