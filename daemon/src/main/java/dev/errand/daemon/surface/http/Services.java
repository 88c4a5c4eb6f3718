package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.task.Uploads;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.verb.About;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.webhook.Webhooks;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All that the routes call. */
public record Services(
    OfTasks tasks,
    OfOutput output,
    OfDaemon daemon,
    Tokens tokens,
    Authenticator authenticator,
    Catalogue tools,
    OfInbox inbox,
    Verbs verbs) {

  /** The verbs, and what is recorded of tasks. */
  public record OfTasks(
      Engine engine, Journal journal, Feed feed, Tasks tasks, TaskViews views, Spawns spawns) {}

  /** What tasks wrote and others uploaded, who is told that a result was read, and who waits. */
  public record OfOutput(
      LogStore logs,
      ArtifactStore artifacts,
      Uploads uploads,
      ResultReads reads,
      Conditions conditions,
      Screens screens,
      ComputePool compute) {}

  /**
   * The daemon itself: why it is not ready, if it is not, and its further numbers by their
   * Prometheus name.
   */
  public record OfDaemon(
      Admin admin,
      About about,
      Supplier<Optional<String>> notReady,
      Supplier<Map<String, Number>> gauges) {}

  /**
   * Notices: where they are read, how they look, how long their text may be, and who is sent them.
   */
  public record OfInbox(Inbox inbox, NoticeViews views, int textCharsMax, Webhooks webhooks) {}
}
