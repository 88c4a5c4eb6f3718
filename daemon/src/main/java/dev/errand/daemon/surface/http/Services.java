package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Verbs;

/** All that the routes call. */
public record Services(
    OfTasks tasks, ComputePool compute, Authenticator authenticator, Catalogue tools, Verbs verbs) {

  /** The verbs, and what is recorded of tasks. */
  public record OfTasks(
      Engine engine,
      Journal journal,
      Feed feed,
      Tasks tasks,
      TaskViews views,
      Spawns spawns,
      Attachments attachments) {}
}
