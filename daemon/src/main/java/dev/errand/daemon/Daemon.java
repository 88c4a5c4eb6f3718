package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.condition.ListeningPorts;
import dev.errand.daemon.condition.RenderedTerminals;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.home.HomeLock;
import dev.errand.daemon.home.HomeWatch;
import dev.errand.daemon.home.PrivateFile;
import dev.errand.daemon.hostlink.Adoption;
import dev.errand.daemon.hostlink.HostPool;
import dev.errand.daemon.hostlink.HostStarter;
import dev.errand.daemon.hostlink.SecretFiles;
import dev.errand.daemon.hostlink.TaskLogs;
import dev.errand.daemon.hostlink.Undertaker;
import dev.errand.daemon.inbox.Bell;
import dev.errand.daemon.inbox.Budget;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.maintenance.ArtifactScrub;
import dev.errand.daemon.maintenance.Cleanup;
import dev.errand.daemon.maintenance.Janitor;
import dev.errand.daemon.maintenance.LogRemoval;
import dev.errand.daemon.maintenance.OldBuilds;
import dev.errand.daemon.maintenance.ReadMarks;
import dev.errand.daemon.maintenance.WaryClock;
import dev.errand.daemon.output.CheckedLogStore;
import dev.errand.daemon.output.FileLogStore;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.recovery.LogCheck;
import dev.errand.daemon.recovery.Recovery;
import dev.errand.daemon.schedule.ApprovalTimer;
import dev.errand.daemon.schedule.RoomFirst;
import dev.errand.daemon.schedule.Scheduler;
import dev.errand.daemon.screen.ScreenText;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.store.DiskSpace;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.Reserve;
import dev.errand.daemon.store.memory.MemoryJournal;
import dev.errand.daemon.surface.http.About;
import dev.errand.daemon.surface.http.Admin;
import dev.errand.daemon.surface.http.HttpSettings;
import dev.errand.daemon.surface.http.HttpSurface;
import dev.errand.daemon.surface.http.Services;
import dev.errand.daemon.surface.http.TcpListener;
import dev.errand.daemon.task.Cascade;
import dev.errand.daemon.task.Relations;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Runners;
import dev.errand.daemon.task.Sessions;
import dev.errand.daemon.task.SpawnPolicy;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.SpecBuilder;
import dev.errand.daemon.task.TaskViews;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.task.Uploads;
import dev.errand.daemon.time.SystemTime;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.toolbox.Toolbox;
import dev.errand.daemon.watch.Watchers;
import dev.errand.daemon.webhook.Webhooks;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogReader;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: the one file where parts meet. Read it to see the whole program. */
final class Daemon implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);

  private static final String READ_ONLY = "this daemon was started to read only";

  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What has to be closed, the newest first. */
  private final Deque<Part> parts = new ArrayDeque<>();

  private String addresses = "";
  private Runnable reload = () -> {};
  private Runnable stop = stopAsked::countDown;

  private Daemon() {}

  /**
   * Returns when everything runs; throws, with all that was opened closed again, when it cannot.
   */
  static Daemon start(ErrandHome home, Configuration configuration, StartMode mode)
      throws IOException, InterruptedException {
    var daemon = new Daemon();
    try {
      daemon.open(home, configuration, mode);
      return daemon;
    } catch (IOException | InterruptedException | RuntimeException e) {
      daemon.close();
      throw e;
    }
  }

  private void open(ErrandHome home, Configuration configuration, StartMode mode)
      throws IOException, InterruptedException {
    var config = configuration.get();
    var build = Build.current();
    var clock = new SystemTime();
    opened("home", HomeLock.take(home));
    opened("home watch", HomeWatch.start(home, () -> homeIsGone(home), clock));
    var space = new DiskSpace(home.root());
    var reserve = new Reserve(home.reserve());
    makeRoom(space, reserve);
    var tokens = Tokens.open(home.token(), home.tokens(), config.policy().profile(), clock);
    var durability = config.syncToDisk() ? Durability.FULL : Durability.NORMAL;

    var wary = new WaryClock(clock, clock::ticks, WaryClock.lastUse(home.database(), clock));
    NativeLibraries.unpackInto(home.nativeLibraries());
    var homeJournal = new HomeJournal(home, durability, Daemon::die, reserve, mode, clock);
    var journal =
        opened("journal", config.tasks().persist() ? homeJournal.open() : new MemoryJournal());
    NativeLibraries.closeToOthers(home.nativeLibraries());
    var fence = journal.takeOver("pid " + ProcessHandle.current().pid());
    var ids = new Uuid7(clock);
    journal.rows(TaskQuery.newest(1)).forEach(it -> ids.continueAfter(it.id()));
    var codec = new JsonFrameCodec();
    var listenerFailures = new ListenerFailures();
    var engine = new Engine(journal, fence, codec, ids, clock, listenerFailures);
    var feed = new Feed(journal, clock);

    var logReader = new LogReader(home.logs());
    var logs = new FileLogStore(logReader, new LogFolders(home.logs()));
    var artifacts = new ArtifactStore(home.artifacts(), durability, clock);
    artifacts.sweepTemp();
    var checkedLogs = new CheckedLogStore(logs, artifacts, journal, codec);

    var processes = new TaskProcesses(engine, journal.id(), clock);
    var compute = opened("compute", ComputePool.start(clock));
    var screens =
        opened(
            "screens",
            new Screens(
                journal, codec, logs, home.screens(), limits(config), engine::liveSnapshot, clock));
    var ports = opened("ports", new ListeningPorts(processes, clock).start());
    var sources = new Conditions.Sources(logs, ports, new RenderedTerminals(screens));
    var conditions = new Conditions(engine, journal, codec, feed, sources, clock);
    var watched =
        new Watchers.Sources(
            journal, codec, logs, compute, conditions, () -> configuration.get().watching(), clock);
    var watchers = opened("watchers", new Watchers(engine, watched));

    var starter =
        new HostStarter(
            build.launcher(), home, journal.id(), build.digest(), config.tasks().persist(), clock);
    var archive = new LogArchive(logReader, artifacts);
    var taskLogs = new TaskLogs(engine, archive, new LogCheck(journal, codec, archive));
    var undertaker = new Undertaker(engine, taskLogs, watchers, clock);
    var secrets = new SecretFiles(home.secrets());
    var sending =
        new HostPool.Sending(
            config.syncToDisk(), secrets, () -> !configuration.get().policy().roots().isEmpty());
    var hosts =
        opened(
            "hosts",
            new HostPool(
                engine,
                starter,
                taskLogs,
                undertaker,
                ids,
                sending,
                new HostPool.Watching(feed::stored, watchers)));
    var scheduler = opened("scheduler", new Scheduler(schedulerLimits(config.tasks()), clock));
    configuration.onReload(it -> scheduler.limit(schedulerLimits(it.tasks())));
    var approvals = opened("approvals", new ApprovalTimer(clock));
    var admission = new RoomFirst(scheduler, () -> shortage(space, reserve));
    var runners = new Runners(hosts);
    var tasks = new Tasks(engine, feed, runners, admission, ids, clock);
    var cascade = opened("cascade", new Cascade(codec));
    var views = new TaskViews(engine, journal, codec, scheduler, hosts.processes());
    ResultReads reads =
        mode == StartMode.READ_ONLY ? (_, _) -> {} : new ReadMarks(engine, journal, clock);
    var builds = new OldBuilds(home.builds(), home.hosts(), build.digest());
    var cleanup =
        new Cleanup(
            engine,
            journal,
            new Cleanup.Files(artifacts, logs, builds, () -> Files.exists(home.loss())),
            () -> configuration.get().output(),
            () -> configuration.get().tasks().sharing().orphanTtl(),
            wary::ago);
    var scrub = new ArtifactScrub(home.artifacts());
    var janitor = opened("janitor", new Janitor(cleanup, scrub, journal, clock));

    var bell = new Bell(clock);
    var inbox = new Inbox(engine, journal, bell, clock);
    var notices =
        new NoticeViews(
            journal, codec, views, new Tails(journal, codec, logs, engine::liveSnapshot));
    var budget =
        opened("inbox budget", new Budget(engine, journal, config.inbox().unreadPerSessionMax()));
    var webhooks =
        opened(
            "webhooks",
            new Webhooks(
                new Webhooks.Sources(engine, journal, inbox, notices, tokens::knows, clock),
                home.webhookSecrets(),
                config.inbox()));

    engine.subscribe(feed);
    engine.subscribe(scheduler);
    engine.subscribe(approvals);
    engine.subscribe(cascade);
    engine.subscribe(runners);
    engine.subscribe(hosts);
    engine.subscribe(processes);
    engine.subscribe(new LogRemoval(logs));
    engine.subscribe(screens);
    engine.subscribe(watchers);
    engine.subscribe(secrets);
    engine.subscribe(bell);
    engine.subscribe(budget);

    if (mode != StartMode.READ_ONLY) {
      var found = new Recovery(journal, engine).foldLive();
      if (mode == StartMode.ADOPT) {
        new Adoption(engine, home.hosts(), undertaker).settle(found.unreadable());
      }
      secrets.sweep(engine.live());
      processes.start(hosts.processes()::isHost);
      watchers.start();
      runners.recover();
      if (mode != StartMode.ADOPT) {
        hosts.endUnreadable(found.unreadable());
      }
      opened("journal note", homeJournal.bind(journal));
      journal.recovered();
      scheduler.start(engine, runners::claim);
      approvals.start(engine);
      cascade.start(engine, (taskId, reason, by) -> tasks.cancel(taskId, reason, by, null));
      janitor.start();
      budget.start();
      webhooks.start();
      log.info("begins with {} tasks that were not over", found.live());
    }
    var end =
        new DaemonEnd(
            stopAsked::countDown,
            engine,
            tasks,
            hosts,
            scheduler,
            () -> configuration.get().tasks().stopping(),
            clock);
    var admin =
        new DaemonAdmin(
            mode == StartMode.READ_ONLY ? this::stopReading : end::ask,
            cleanup,
            configuration,
            new LeftProcesses(hosts.processes(), processes, clock));
    reload = admin::reloadQuietly;
    stop = () -> admin.shutdown(Admin.Stop.FOR_NOW);
    if (!config.tasks().persist() && mode != StartMode.READ_ONLY) {
      // Nobody could find them again.
      opened("tasks", end::endAllTasks);
    }

    var userHome = Path.of(System.getProperty("user.home", "/"));
    var policy = new SpawnPolicy(() -> configuration.get().policy(), userHome, clock);
    var sessions = new Sessions(engine, journal, clock);
    var spawns =
        new Spawns(
            new SpecBuilder(configuration, userHome),
            policy,
            tasks,
            engine,
            new Relations(engine, journal, () -> configuration.get().tasks().sharing().depthMax()),
            sessions,
            clock);
    var attachments =
        new Attachments(
            new Attachments.Sources(
                tasks,
                views,
                feed,
                codec,
                logs,
                (share, it) -> firstScreen(screens, share, it),
                reads),
            config.attaching(),
            clock);
    screens.start();
    var startedAt = clock.instant();
    var uploads = new Uploads(engine, clock);
    var gauges = new Gauges(scheduler, hosts, journal, scrub, listenerFailures);
    var services =
        new Services(
            new Services.OfTasks(engine, journal, feed, tasks, views, spawns, attachments),
            new Services.OfOutput(
                checkedLogs, artifacts, uploads, reads, conditions, screens, compute),
            new Services.OfDaemon(
                admin,
                new About(build.version(), build.digest(), 1, startedAt),
                () ->
                    mode == StartMode.READ_ONLY
                        ? Optional.of(READ_ONLY)
                        : end.notReady().or(() -> shortage(space, reserve)),
                gauges),
            new Services.OfAccess(tokens, processes),
            Toolbox.filled(
                    new ToolServices(
                        new ToolServices.OfTasks(engine, journal, feed, tasks, views, spawns),
                        new ToolServices.OfOutput(
                            checkedLogs, artifacts, uploads, reads, conditions, screens, compute)),
                    configuration)
                .whileEnabled(() -> configuration.get().tasks().enabled()),
            new Services.OfInbox(inbox, notices, config.inbox().textCharsMax(), webhooks));
    var settings =
        new HttpSettings(
            home.socket(),
            config.httpListen(),
            () -> configuration.get().serving(),
            HttpSettings.Times.DEFAULTS,
            mode == StartMode.READ_ONLY);
    var http = opened("http", HttpSurface.start(settings, services));
    announce(home, http, startedAt);
    log.info(mode == StartMode.READ_ONLY ? READ_ONLY : "ready");
  }

  /** On a full disk a daemon starts by what the reserve gives, so that tasks can be cancelled. */
  private static void makeRoom(DiskSpace space, Reserve reserve) {
    reserve.holdIfMade();
    if (space.startShortage().isPresent()) {
      reserve.release();
      space.checkStart();
    } else if (space.shortage().isEmpty()) {
      reserve.hold();
    }
  }

  /** Why no task is accepted: too little free space, or none for the reserve. */
  private static Optional<String> shortage(DiskSpace space, Reserve reserve) {
    var shortage = space.shortage();
    return shortage.isPresent() || reserve.hold()
        ? shortage
        : Optional.of("the disk is full: there is no room for the reserve; make room");
  }

  private static FirstScreen.Drawn firstScreen(Screens screens, Share share, TaskId taskId)
      throws InterruptedException {
    var screen = screens.at(share, taskId, null);
    return new FirstScreen.Drawn(ScreenText.ansi(screen), screen.offset(), screen.seq());
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

  private static Scheduler.Limits schedulerLimits(Config.Tasks tasks) {
    var sharing = tasks.sharing();
    return new Scheduler.Limits(
        tasks.runningCommandsMax(),
        tasks.queuedPerSessionMax(),
        sharing.concurrentPerSession(),
        sharing.concurrentGlobal(),
        sharing.priorityStep());
  }

  /** Tasks are another daemon's matter. */
  private Admin.Stopping stopReading(Admin.Stop how) {
    stopAsked.countDown();
    return new Admin.Stopping("detach", Duration.ZERO);
  }

  /** Nothing may be acknowledged after a failed commit, so this process ends on the spot. */
  private static void die(Throwable cause) {
    log.error("the journal failed; stopping at once. Tasks go on in their hosts.", cause);
    Runtime.getRuntime().halt(70);
  }

  /** Nothing is cleaned up, since what lies at the home's path now may be another daemon's. */
  private static void homeIsGone(ErrandHome home) {
    log.error(
        "the home {} is gone or another's; stopping. Its hosts end their tasks.", home.root());
    Runtime.getRuntime().halt(72);
  }

  private void announce(ErrandHome home, HttpSurface http, Instant startedAt) throws IOException {
    var tcp =
        switch (http.tcp()) {
          case TcpListener.Open(var address) -> address.getHostString() + ":" + address.getPort();
          case TcpListener.Shut _, TcpListener.Failed _ -> null;
        };
    addresses = home.socket() + (tcp == null ? "" : " and " + tcp);
    var pid = ProcessHandle.current().pid();
    var socket = home.socket().toString();
    var file = new DaemonFile(pid, tcp, null, socket, startedAt, home.root().toString());
    PrivateFile.write(home.daemonFile(), file.encode());
    opened("daemon.json", () -> Files.deleteIfExists(home.daemonFile()));
  }

  String addresses() {
    return addresses;
  }

  /** Reads the settings again; what came of it is in the log. */
  void reload() {
    reload.run();
  }

  /** Begins to stop, as the settings say; returns at once. Asked again, it does not wait. */
  void stop() {
    stop.run();
  }

  /** Returns when it is time to close everything. */
  void awaitStop() throws InterruptedException {
    stopAsked.await();
  }

  /**
   * For a JVM that ends for a reason of its own; returns when whoever awaits the stop has closed.
   */
  void stopWithJvm() {
    if (closed.getCount() > 0) {
      stop();
    }
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    while (!parts.isEmpty()) {
      var part = parts.removeLast();
      try {
        part.closing().close();
      } catch (Exception e) {
        log.warn("closing {} failed", part.name(), e);
      }
    }
    closed.countDown();
  }

  private <T extends AutoCloseable> T opened(String name, T part) {
    parts.addLast(new Part(name, part));
    return part;
  }

  private record Part(String name, AutoCloseable closing) {}
}
