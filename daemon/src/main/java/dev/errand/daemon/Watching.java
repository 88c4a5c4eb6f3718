package dev.errand.daemon;

import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.condition.ListeningPorts;
import dev.errand.daemon.condition.LiveProcesses;
import dev.errand.daemon.condition.RenderedScreens;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.watch.Watchers;
import java.io.IOException;

/** The observation of running tasks: processes, screens, ports, conditions and watchers. */
final class Watching {
  final TaskProcesses processes;
  final ComputePool compute;
  final Screens screens;
  final Conditions conditions;
  final LiveProcesses live;
  final Watchers watchers;

  Watching(Startup startup, Storage storage) throws IOException {
    var clock = startup.clock();
    var engine = storage.engine;
    var journal = storage.journal;
    var codec = storage.codec;
    var logs = storage.outputs.logs();
    processes = new TaskProcesses(engine, journal.id(), clock);
    compute = startup.opened("compute", ComputePool.start(clock));
    screens =
        startup.opened(
            "screens",
            new Screens(
                journal,
                codec,
                logs,
                startup.home().screens(),
                limits(startup.config()),
                engine::liveSnapshot,
                clock));
    var ports = startup.opened("ports", new ListeningPorts(processes, clock).start());
    var sources = new Conditions.Sources(logs, ports, new RenderedScreens(screens));
    live = new LiveProcesses(engine, clock);
    conditions = new Conditions(engine, journal, codec, storage.feed, sources, clock);
    var watched =
        new Watchers.Sources(
            journal, codec, logs, compute, conditions, () -> startup.config().watching(), clock);
    watchers = startup.opened("watchers", new Watchers(engine, watched));
  }

  private static Screens.Limits limits(Config config) {
    var screens = config.screens();
    return new Screens.Limits(
        screens.liveMax(),
        screens.idle(),
        screens.keepEveryBytes(),
        screens.renderBytesMax(),
        screens.renderTime());
  }

  /** Starts watching the running tasks. */
  void start() {
    watchers.start();
  }
}
