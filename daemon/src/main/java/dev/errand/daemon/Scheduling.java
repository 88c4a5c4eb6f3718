package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.schedule.ApprovalTimer;
import dev.errand.daemon.schedule.DiskSpaceAdmission;
import dev.errand.daemon.schedule.Scheduler;
import dev.errand.daemon.task.Cascade;
import dev.errand.daemon.task.Runners;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;

/** When tasks start, and what ends them apart from their processes: a deadline, or another task. */
final class Scheduling {
  final Scheduler scheduler;
  final ApprovalTimer approvals;
  final Cascade cascade;
  final Tasks tasks;
  final TaskViews views;
  private final Engine engine;
  private final Runners runners;

  Scheduling(Startup startup, Storage storage, Hosting hosting) {
    var clock = startup.clock();
    this.engine = storage.engine;
    this.runners = hosting.runners;
    scheduler = startup.opened("scheduler", new Scheduler(limits(startup.config().tasks()), clock));
    startup.configuration().onReload(it -> scheduler.limit(limits(it.tasks())));
    approvals = startup.opened("approvals", new ApprovalTimer(clock));
    var admission = new DiskSpaceAdmission(scheduler, storage.space::holdReserve);
    tasks = new Tasks(engine, storage.feed, runners, admission, storage.ids, clock);
    cascade = startup.opened("cascade", new Cascade(storage.codec, startup.clock()));
    views =
        new TaskViews(engine, storage.journal, storage.codec, scheduler, hosting.hosts.processes());
  }

  private static Scheduler.Limits limits(Config.Tasks tasks) {
    var sharing = tasks.sharing();
    return new Scheduler.Limits(
        tasks.runningCommandsMax(),
        tasks.queuedPerSessionMax(),
        sharing.concurrentPerSession(),
        sharing.concurrentGlobal(),
        sharing.priorityStep(),
        sharing.waitedCallsPerSession(),
        sharing.serviceSettle());
  }

  /** Loads the live tasks and starts those whose turn it is. */
  void start() {
    scheduler.start(engine, runners::claim);
    approvals.start(engine);
    cascade.start(engine, (taskId, reason, by) -> tasks.cancel(taskId, reason, by, null));
  }
}
