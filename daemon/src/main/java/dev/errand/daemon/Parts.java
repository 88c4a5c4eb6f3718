package dev.errand.daemon;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts of the daemon except its surfaces. Each part is opened with the parts it needs and does
 * nothing until it is started; it registers what must be closed in {@link OpenParts}. Parts are
 * started after the recovery.
 */
record Parts(
    Storage storage,
    Watching watching,
    Hosting hosting,
    Scheduling scheduling,
    Upkeep upkeep,
    Delivery delivery) {
  private static final Logger log = LoggerFactory.getLogger(Parts.class);

  static Parts open(Startup startup) throws IOException {
    var storage = new Storage(startup);
    var watching = new Watching(startup, storage);
    var hosting = new Hosting(startup, storage, watching);
    var scheduling = new Scheduling(startup, storage, hosting);
    var upkeep = new Upkeep(startup, storage);
    var delivery = new Delivery(startup, storage, scheduling.views);
    var parts = new Parts(storage, watching, hosting, scheduling, upkeep, delivery);
    parts.listen();
    return parts;
  }

  /**
   * The commit listeners, in this order. Each only updates its memory and wakes its own threads,
   * and an exception in one does not reach the others. The order only affects latency, not
   * correctness.
   */
  private void listen() {
    var engine = storage.engine;
    // First, because callers wait for it, and the listeners below read through it.
    engine.subscribe(storage.feed);
    // An end frees capacity for the next task, which should start before any clean-up.
    engine.subscribe(scheduling.scheduler);
    // An approval must stop the timer of a held task before it expires.
    engine.subscribe(scheduling.approvals);
    // Children of a cancelled task are noted before its host is asked to kill it.
    engine.subscribe(scheduling.cascade);
    // Starts a thread for each claim, so it comes after the listeners that only update memory.
    engine.subscribe(hosting.runners);
    // An end may have been the last task of an old host, which then stops; nothing waits for that.
    engine.subscribe(hosting.hosts);
    // Before the watchers, whose port checks ask it for the task of a process.
    engine.subscribe(watching.processes);
    // Before the screens, so that a screen rendered during a removal finds no log.
    engine.subscribe(upkeep.logRemoval);
    // Before the watchers, which read screens.
    engine.subscribe(watching.screens);
    // After everything that watchers read.
    engine.subscribe(watching.watchers);
    // Deletes a file at the end of a task, so listeners that only wake threads come before it.
    engine.subscribe(hosting.secrets);
    // Notices come last, when all other listeners know the change.
    engine.subscribe(delivery.signal);
    // After the inbox signal, so that waiting readers wake before notices are counted and merged.
    engine.subscribe(delivery.merger);
    // Last: a webhook that is woken reads on from the journal, notices and events alike.
    engine.subscribe(delivery.webhooks);
  }

  /**
   * Starts the parts: first recovery, then what observes tasks, then what changes tasks, and last
   * the delivery of notices.
   */
  void start() throws IOException, InterruptedException {
    var live = hosting.recover();
    watching.start();
    hosting.start();
    storage.start();
    scheduling.start();
    upkeep.start();
    delivery.start();
    log.info("starting with {} live tasks", live);
  }
}
