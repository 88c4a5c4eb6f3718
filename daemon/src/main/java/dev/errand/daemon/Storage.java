package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Ids;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.home.HomeLock;
import dev.errand.daemon.home.HomeWatch;
import dev.errand.daemon.maintenance.RetentionClock;
import dev.errand.daemon.store.Damages;
import dev.errand.daemon.store.DiskSpace;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.Reserve;
import dev.errand.daemon.store.memory.MemoryJournal;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The home, its journal, and the engine that records everything. If one of them is lost, the
 * process exits at once, since nothing could be recorded.
 */
final class Storage {
  private static final Logger log = LoggerFactory.getLogger(Storage.class);

  final SpaceGuard space;
  final Tokens tokens;
  final RetentionClock lastUse;
  final Journal journal;
  final Damages damages;
  final Ids ids;
  final FrameCodec codec = new JsonFrameCodec();
  final ListenerFailures listenerFailures = new ListenerFailures();
  final Engine engine;
  final Feed feed;
  final Outputs outputs;
  private final Startup startup;
  private final HomeJournal homeJournal;

  Storage(Startup startup) throws IOException {
    this.startup = startup;
    var home = startup.home();
    var clock = startup.clock();
    startup.opened("home", HomeLock.take(home));
    startup.opened("home watch", HomeWatch.start(home, this::homeIsGone, clock));
    var reserve = new Reserve(home.reserve());
    space = new SpaceGuard(new DiskSpace(home.root()), reserve);
    space.makeRoom();
    var config = startup.config();
    tokens = Tokens.open(home.token(), home.tokens(), config.policy().profile(), clock);
    var durability = config.syncToDisk() ? Durability.FULL : Durability.NORMAL;
    // Read before the journal is opened, which changes it.
    lastUse =
        new RetentionClock(clock, clock::ticks, RetentionClock.lastUse(home.database(), clock));
    homeJournal = new HomeJournal(home, durability, this::die, reserve, startup.mode(), clock);
    journal = startup.opened("journal", open(home, config.tasks().persist()));
    damages = journal instanceof Damages it ? it : Damages.NONE;
    var fence = journal.takeOver("pid " + ProcessHandle.current().pid());
    var newest = new Uuid7(clock);
    journal.rows(TaskQuery.newest(1)).forEach(it -> newest.continueAfter(it.id()));
    ids = newest;
    engine = new Engine(journal, fence, codec, ids, clock, listenerFailures);
    feed = new Feed(journal, clock);
    var files = Outputs.open(home, journal, codec, durability, clock);
    outputs = startup.replacements().outputs(files);
  }

  private Journal open(ErrandHome home, boolean persist) throws IOException {
    if (!persist) {
      return new MemoryJournal();
    }
    NativeLibraries.unpackInto(home.nativeLibraries());
    var opened = homeJournal.open();
    NativeLibraries.closeToOthers(home.nativeLibraries());
    return opened;
  }

  /** Must be called when recovery is complete. */
  void start() throws IOException {
    startup.opened("journal note", homeJournal.bind(journal));
    damages.recovered();
  }

  /** Nothing may be acknowledged after a failed commit, so this process exits at once. */
  private void die(Throwable cause) {
    log.error("the journal failed; stopping at once. Tasks go on in their hosts.", cause);
    startup.replacements().exit(70);
  }

  /** Nothing is cleaned up, since the path of the home may now belong to another daemon. */
  private void homeIsGone() {
    log.error(
        "the home {} was removed or replaced; stopping. Its hosts end their tasks.",
        startup.home().root());
    startup.replacements().exit(72);
  }
}
