package dev.errand.daemon;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that is behind the doors. Each part is opened with those it needs, and then knows everything
 * but does nothing by itself; what it leaves to close it tells the {@link OpenParts}. It is started
 * when all that was recorded is known again.
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
   * Everyone who is told of commits, in this order. Each only takes a note and wakes its own
   * threads, and a bug in one reaches no other; so the order decides who is first, and nothing
   * depends on it for being right.
   */
  private void listen() {
    var engine = storage.engine;
    // First, because callers wait for it, and because those below read on through it.
    engine.subscribe(storage.feed);
    // An end makes room for the next task, which should begin before anything is tidied up.
    engine.subscribe(scheduling.scheduler);
    // An answer has to stop the time of a held task before that runs out.
    engine.subscribe(scheduling.approvals);
    // Children of a cancelled task are noted before its host is asked to kill it.
    engine.subscribe(scheduling.cascade);
    // Begins a thread for each claim, so it comes after those who only note.
    engine.subscribe(hosting.runners);
    // An end may have been the last of an old host, which goes then; nobody waits for that.
    engine.subscribe(hosting.hosts);
    // Before the watchers, whose ports ask it whose a process is.
    engine.subscribe(watching.processes);
    // Before the screens: what is rendered while a task is removed finds no log to keep a screen
    // of.
    engine.subscribe(upkeep.logRemoval);
    // Before the watchers, which look at screens.
    engine.subscribe(watching.screens);
    // After all that they look at.
    engine.subscribe(watching.watchers);
    // Deletes a file at the end of a task, so whoever is only woken by that comes before it.
    engine.subscribe(hosting.secrets);
    // Notices are told last: by now everyone has heard of what they are about.
    engine.subscribe(delivery.signal);
    // After the inbox signal, so that waiting readers wake before notices are counted and merged.
    engine.subscribe(delivery.merger);
  }

  /**
   * First the tasks as they were left, then those who look at them, then those who move them, and
   * last those who tell of them.
   */
  void start() throws IOException, InterruptedException {
    var live = hosting.recover();
    watching.start();
    hosting.start();
    storage.start();
    scheduling.start();
    upkeep.start();
    delivery.start();
    log.info("begins with {} tasks that were not over", live);
  }
}
