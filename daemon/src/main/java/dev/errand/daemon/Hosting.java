package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.hostlink.Adoption;
import dev.errand.daemon.hostlink.DeadHostSettlement;
import dev.errand.daemon.hostlink.HostPool;
import dev.errand.daemon.hostlink.HostStarter;
import dev.errand.daemon.hostlink.SecretFiles;
import dev.errand.daemon.hostlink.TaskLogs;
import dev.errand.daemon.recovery.LogCheck;
import dev.errand.daemon.recovery.Recovery;
import dev.errand.daemon.store.Damages;
import dev.errand.daemon.task.Runners;
import java.io.IOException;
import java.util.List;

/** The hosts, which own the processes of tasks, and the recovery after an earlier daemon. */
final class Hosting {
  final HostPool hosts;
  final Runners runners;
  final SecretFiles secrets;
  private final Startup startup;
  private final Engine engine;
  private final Recovery recovery;
  private final Damages damages;
  private final DeadHostSettlement settlement;
  private final TaskProcesses processes;

  /** Tasks with a damaged record; set by {@link #recover}. */
  private List<Recovery.Unreadable> unreadable = List.of();

  Hosting(Startup startup, Storage storage, Watching watching) {
    this.startup = startup;
    var clock = startup.clock();
    var config = startup.config();
    var journal = storage.journal;
    engine = storage.engine;
    processes = watching.processes;
    recovery = new Recovery(journal, engine);
    damages = storage.damages;
    var build = startup.build();
    var starter =
        new HostStarter(
            build.launcher(),
            startup.home(),
            journal.id(),
            build.digest(),
            config.tasks().persist(),
            clock);
    var archive = storage.outputs.archive();
    var logs = new TaskLogs(engine, archive, new LogCheck(journal, storage.codec, archive));
    settlement = new DeadHostSettlement(engine, logs, watching.watchers, clock);
    secrets = new SecretFiles(startup.home().secrets());
    var sending =
        new HostPool.Sending(
            config.syncToDisk(),
            secrets,
            () -> !startup.config().policy().roots().isEmpty(),
            startup.home().root());
    var told = new HostPool.Watching(storage.feed::stored, watching.watchers);
    hosts =
        startup.opened(
            "hosts", new HostPool(engine, starter, logs, settlement, storage.ids, sending, told));
    runners = new Runners(startup.replacements().runner(hosts, engine));
  }

  /** Folds the live tasks and finds their processes; returns the number of tasks. */
  int recover() throws IOException, InterruptedException {
    var found = recovery.foldLive(damages.withoutRow());
    unreadable = found.unreadable();
    if (startup.mode() == StartMode.ADOPT) {
      new Adoption(engine, startup.home().hosts(), settlement, startup.clock()).settle(unreadable);
    }
    secrets.sweep(engine.live());
    processes.start(hosts.processes()::isHost);
    return found.live();
  }

  /** Connects to the running hosts. */
  void start() throws IOException, InterruptedException {
    runners.recover();
    if (startup.mode() != StartMode.ADOPT) {
      hosts.endUnreadable(unreadable);
    }
  }
}
