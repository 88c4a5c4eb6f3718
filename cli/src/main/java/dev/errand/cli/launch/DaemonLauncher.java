package dev.errand.cli.launch;

import dev.errand.cli.terminal.Console;
import dev.errand.core.error.ErrandException;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import dev.errand.wire.json.JsonFields;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Connects to the daemon of this home, and starts one if needed.
 *
 * <p>Two commands may start a daemon at once. If one daemon finds the home locked by the other,
 * both commands use the other daemon.
 */
public final class DaemonLauncher {
  private static final Duration START_MAX = Duration.ofSeconds(30);

  /** How long to wait for the winner after this command's daemon lost the race and ended. */
  private static final Duration RIVAL_MAX = Duration.ofSeconds(5);

  /** How long to wait for the file that a daemon writes once it answers. */
  private static final Duration FILE_MAX = Duration.ofSeconds(2);

  private static final Duration STOP_MAX = Duration.ofSeconds(30);
  private static final Duration STOP_ALL_MAX = Duration.ofSeconds(90);

  private static final ClientOptions OPTIONS = ClientOptions.DEFAULT.endingWithProcess();

  /** For the daemon that is being stopped; its end is no reason to retry. */
  private static final ClientOptions IMPATIENT = OPTIONS.withPatience(Duration.ofSeconds(1));

  private static final long POLL_MS = 25;

  /** With less free space than this a daemon does not start. */
  private static final long DISK_BYTES_MIN = 4 << 20;

  private final ErrandHome home;
  private final Installation installation;
  private final Map<String, String> environment;
  private final Console console;

  public DaemonLauncher(
      ErrandHome home,
      Installation installation,
      Map<String, String> environment,
      Console console) {
    this.home = home;
    this.installation = installation;
    this.environment = environment;
    this.console = console;
  }

  /** A client of the running daemon; fails with {@link NotRunningException} where none runs. */
  public ErrandClient connect() {
    return connect(ErrandClient.connect(home, OPTIONS));
  }

  private static ErrandClient connect(ErrandClient client) {
    try {
      client.reach();
      return client;
    } catch (NoDaemonException e) {
      client.close();
      throw new NotRunningException(e);
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /** A client of a running daemon, which is started if there is none. */
  public ErrandClient connectOrStart() throws InterruptedException {
    try {
      return connect();
    } catch (NotRunningException e) {
      checkMayStart();
      return start();
    }
  }

  /** A client of a daemon that was started to bind the journal to this home. */
  public ErrandClient adopt() throws InterruptedException {
    try (var _ = connect()) {
      throw new LaunchException(
          "a daemon runs in this home, so the journal belongs to it already; if that daemon is read-only, stop it first: errand down");
    } catch (NotRunningException e) {
      checkMayStart();
      return start("--adopt");
    }
  }

  /** The same with a new journal; the present file is moved aside. */
  public ErrandClient beginAnew() throws InterruptedException {
    try (var _ = connect()) {
      throw new LaunchException("a daemon runs in this home; stop it first: errand down");
    } catch (NotRunningException e) {
      checkMayStart();
      return start("--new-journal");
    }
  }

  /** A daemon started by a task would be part of that task and end with it. */
  public void checkMayStart() {
    if (environment.containsKey("ERRAND_TASK_ID")) {
      throw new LaunchException(
          "a task cannot start a daemon; run errand up or errand restart outside of tasks");
    }
  }

  /** The same, waiting for a daemon that answers but has not written its file yet. */
  public Optional<DaemonFile> awaitFile(long pid) throws InterruptedException {
    var timeout = new StartTimeout(FILE_MAX);
    var file = file(pid);
    while (file.isEmpty() && !timeout.isOver()) {
      Thread.sleep(POLL_MS);
      file = file(pid);
    }
    return file;
  }

  /** The file of the running daemon; a file of another one does not count. */
  private Optional<DaemonFile> file(long pid) {
    try {
      return Optional.of(DaemonFile.decode(Files.readAllBytes(home.daemonFile())))
          .filter(it -> it.pid() == pid);
    } catch (IOException | ErrandException e) {
      return Optional.empty();
    }
  }

  private ErrandClient start(String... options) throws InterruptedException {
    var log = new DaemonLog(home.daemonLog());
    try {
      log.prepare();
      var offset = log.size();
      // Always printed: a background process is not started silently.
      console.say("errand: starting the daemon …");
      var client = await(launch(options), log, offset);
      Survey.loss(home)
          .ifPresent(it -> console.say("errand: " + it.sentence() + "; see: errand recover"));
      return client;
    } catch (IOException e) {
      throw new LaunchException(
          "cannot start the daemon: " + e.getMessage() + "; see: errand doctor", e);
    }
  }

  private Process launch(String... options) throws IOException {
    var command = new ArrayList<>(List.of(script().toString(), "serve"));
    command.addAll(List.of(options));
    var builder =
        new ProcessBuilder(command)
            // The daemon must not keep the caller's folder busy.
            .directory(home.root().toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.daemonLog().toFile()));
    builder.environment().put("ERRAND_DETACH", "1");
    builder.environment().put("ERRAND_HOME", home.root().toString());
    return builder.start();
  }

  private Path script() {
    var script = installation.run();
    if (script == null) {
      throw new LaunchException(
          "this program was not started by its script, so it cannot start a daemon; run: errand serve");
    }
    return script;
  }

  private ErrandClient await(Process daemon, DaemonLog log, long offset)
      throws IOException, InterruptedException {
    var timeout = new StartTimeout(START_MAX);
    while (true) {
      var reached = reached();
      if (reached.isPresent()) {
        return reached.get();
      }
      if (!daemon.isAlive()) {
        timeout.atMost(RIVAL_MAX);
      }
      if (timeout.isOver()) {
        throw failed(daemon, log, offset);
      }
      Thread.sleep(POLL_MS);
    }
  }

  /**
   * A daemon answers once it runs completely; whether it accepts tasks also depends on the disk.
   */
  private Optional<ErrandClient> reached() {
    try {
      return Optional.of(connect());
    } catch (NotRunningException e) {
      return Optional.empty();
    }
  }

  private LaunchException failed(Process daemon, DaemonLog log, long offset) throws IOException {
    var how =
        daemon.isAlive()
            ? "the daemon was started (pid %d) and has not answered in %d s"
                .formatted(daemon.pid(), START_MAX.toSeconds())
            : "the daemon ended with code %d before it answered".formatted(daemon.exitValue());
    var lines = String.join("\n  ", log.linesAfter(offset));
    return new LaunchException(
        fullDisk()
            + how
            + "; the end of "
            + home.daemonLog()
            + ":\n  "
            + lines
            + "\nsee also: errand doctor");
  }

  /** On a full disk the daemon cannot write down why it ended. */
  private String fullDisk() throws IOException {
    var free = Files.getFileStore(home.root()).getUsableSpace();
    return free < DISK_BYTES_MIN
        ? "the disk of %s is full (%d KiB free); free some space and try again.\n"
            .formatted(home.root(), free >> 10)
        : "";
  }

  /**
   * Stops the daemon and returns when its process is gone; with {@code all}, tasks and hosts go
   * first. Returns what happened to the tasks, as the value of the setting.
   */
  public String stop(boolean all) throws InterruptedException {
    try (var client = connect(ErrandClient.connect(home, IMPATIENT))) {
      var pid = client.version().number("pid");
      var begun = begun(() -> client.shutdown(all));
      awaitGone(pid, all ? STOP_ALL_MAX : STOP_MAX, begun.waitMax());
      return begun.onStop();
    }
  }

  /** Stops the daemon for another one; returns its version. */
  public JsonFields stopForRestart() throws InterruptedException {
    try (var client = connect(ErrandClient.connect(home, IMPATIENT))) {
      var version = client.version();
      var begun = begun(client::shutdownForRestart);
      awaitGone(version.number("pid"), STOP_MAX, begun.waitMax());
      return version;
    }
  }

  /** What happens to the tasks, and how long the daemon waits for them. */
  private record Begun(String onStop, Duration waitMax) {
    static final Begun GONE = new Begun("detach", Duration.ZERO);
  }

  private static Begun begun(Supplier<JsonFields> shutdown) {
    try {
      var answer = shutdown.get();
      return new Begun(
          answer.text("on_stop", Begun.GONE.onStop()),
          Duration.ofSeconds(answer.number("wait_secs", 0)));
    } catch (NoDaemonException e) {
      // It ended before it could answer, as requested.
      return Begun.GONE;
    }
  }

  private void awaitGone(long pid, Duration stopMax, Duration wait) throws InterruptedException {
    var most = stopMax.plus(wait);
    var timeout = new StartTimeout(most);
    if (!wait.isZero()) {
      console.say("errand: tasks have up to " + wait.toSeconds() + " s to end …");
    }
    while (!ProcessCheck.isGone(pid)) {
      if (timeout.isOver()) {
        throw new LaunchException(
            "the daemon (pid %d) did not stop within %d s; see %s"
                .formatted(pid, most.toSeconds(), home.daemonLog()));
      }
      Thread.sleep(POLL_MS);
    }
  }
}
