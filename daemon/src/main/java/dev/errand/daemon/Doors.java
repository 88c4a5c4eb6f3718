package dev.errand.daemon;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.home.PrivateFile;
import dev.errand.daemon.screen.ScreenText;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.surface.http.HttpSettings;
import dev.errand.daemon.surface.http.HttpSurface;
import dev.errand.daemon.surface.http.TcpListener;
import dev.errand.daemon.task.Batches;
import dev.errand.daemon.task.Relations;
import dev.errand.daemon.task.Sessions;
import dev.errand.daemon.task.SpawnPolicy;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.SpecBuilder;
import dev.errand.daemon.task.Uploads;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.toolbox.Toolbox;
import dev.errand.daemon.verb.About;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Floor;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.DaemonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where others come in: everything that may be asked of the daemon, and how to reach it. Without
 * {@link #listen} it can only be asked within this process.
 */
final class Doors {
  private final Startup startup;
  private final Parts parts;
  private final Administration administration;
  private final Spawns spawns;
  private final Attachments attachments;
  private final Uploads uploads;
  private final Verbs verbs;
  private final Authenticator authenticator;
  private final Catalogue tools;
  private final Instant startedAt;
  private String addresses = "";

  Doors(Startup startup, Parts parts, Administration administration) {
    this.startup = startup;
    this.parts = parts;
    this.administration = administration;
    spawns = spawns();
    attachments = attachments();
    uploads = new Uploads(parts.storage().engine, startup.clock());
    startedAt = startup.clock().instant();
    verbs = openVerbs();
    authenticator = openAuthenticator();
    tools = openTools();
  }

  private Spawns spawns() {
    var clock = startup.clock();
    var engine = parts.storage().engine;
    var journal = parts.storage().journal;
    var userHome = startup.replacements().userHome(Path.of(System.getProperty("user.home", "/")));
    return new Spawns(
        new SpecBuilder(startup.configuration(), userHome),
        new SpawnPolicy(() -> startup.config().policy(), userHome, clock),
        parts.scheduling().tasks,
        engine,
        new Relations(engine, journal, () -> startup.config().tasks().sharing().depthMax()),
        new Sessions(engine, journal, clock),
        clock);
  }

  private Verbs openVerbs() {
    var storage = parts.storage();
    return Verbs.of(
        new Verbs.Parts(
            Floor.of(storage.engine, storage.journal),
            new Verbs.Parts.Journaled(storage.engine, storage.journal, storage.feed, storage.codec),
            work(),
            output(),
            told(),
            running(),
            startup.clock()));
  }

  private Verbs.Parts.Work work() {
    var engine = parts.storage().engine;
    var tasks = parts.scheduling().tasks;
    var views = parts.scheduling().views;
    var batches = new Batches(engine, tasks, views, startup.clock());
    return new Verbs.Parts.Work(
        tasks, views, spawns, batches, parts.delivery().reads, parts.watching().live);
  }

  private Verbs.Parts.Output output() {
    var outputs = parts.storage().outputs;
    var watching = parts.watching();
    return new Verbs.Parts.Output(
        outputs.checked(),
        outputs.artifacts(),
        uploads,
        watching.conditions,
        watching.screens,
        watching.compute);
  }

  private Verbs.Parts.Told told() {
    var delivery = parts.delivery();
    var charsMax = startup.config().inbox().textCharsMax();
    return new Verbs.Parts.Told(delivery.inbox, delivery.notices, charsMax, delivery.webhooks);
  }

  private Verbs.Parts.Running running() {
    var storage = parts.storage();
    var build = startup.build();
    return new Verbs.Parts.Running(
        administration.admin(),
        new About(build.version(), build.digest(), 1, startedAt),
        administration.notReady(),
        administration.gauges(),
        storage.tokens,
        attachments);
  }

  private Attachments attachments() {
    var storage = parts.storage();
    var scheduling = parts.scheduling();
    FirstScreen screens = (share, it) -> firstScreen(parts.watching().screens, share, it);
    var sources =
        new Attachments.Sources(
            scheduling.tasks,
            scheduling.views,
            storage.feed,
            storage.codec,
            storage.outputs.logs(),
            startup.replacements().firstScreen(screens),
            parts.delivery().reads);
    return new Attachments(sources, startup.config().attaching(), startup.clock());
  }

  private static FirstScreen.Drawn firstScreen(Screens screens, Share share, TaskId taskId)
      throws InterruptedException {
    var screen = screens.at(share, taskId, null);
    return new FirstScreen.Drawn(ScreenText.ansi(screen), screen.offset(), screen.seq());
  }

  Verbs verbs() {
    return verbs;
  }

  Authenticator authenticator() {
    return authenticator;
  }

  Catalogue tools() {
    return tools;
  }

  /** Starts what all doors need, also in a daemon that only reads: its callers look at screens. */
  void start() {
    parts.watching().screens.start();
  }

  /** Lets others in, and says in the home where. */
  void listen() throws IOException {
    var settings =
        new HttpSettings(
            startup.home().socket(),
            startup.config().httpListen(),
            () -> startup.config().serving(),
            HttpSettings.Times.DEFAULTS,
            startup.readOnly(),
            startup.clock());
    var http = startup.opened("http", HttpSurface.start(settings, authenticator, verbs, tools));
    var tcp =
        switch (http.tcp()) {
          case TcpListener.Open(var address) -> address.getHostString() + ":" + address.getPort();
          case TcpListener.Shut _, TcpListener.Failed _ -> null;
        };
    announce(tcp);
  }

  private Authenticator openAuthenticator() {
    var storage = parts.storage();
    return new Authenticator(storage.engine, storage.tokens, parts.watching().processes);
  }

  private void announce(@Nullable String tcp) throws IOException {
    var home = startup.home();
    addresses = home.socket() + (tcp == null ? "" : " and " + tcp);
    var pid = ProcessHandle.current().pid();
    var socket = home.socket().toString();
    var file = new DaemonFile(pid, tcp, null, socket, startedAt, home.root().toString());
    PrivateFile.write(home.daemonFile(), file.encode());
    startup.opened("daemon.json", () -> Files.deleteIfExists(home.daemonFile()));
  }

  String addresses() {
    return addresses;
  }

  private Catalogue openTools() {
    return Toolbox.filled(verbs, startup.clock(), startup.configuration())
        .whileEnabled(() -> startup.config().tasks().enabled());
  }
}
