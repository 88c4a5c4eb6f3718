package dev.errand.daemon.hostlink;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.time.Time;
import dev.errand.daemon.home.PrivateFile;
import dev.errand.wire.fault.Failpoint;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts a host as a process of its own, so that it outlives this one. */
public final class HostStarter {
  private static final Duration START_MAX = Duration.ofSeconds(20);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  /** How long a host whose journal is in memory waits for the same daemon to come back. */
  private static final Duration ALONE_MAX = Duration.ofSeconds(10);

  private final List<String> launcher;
  private final ErrandHome home;
  private final String journalId;
  private final String build;
  private final boolean journalLasts;
  private final Time clock;

  /** For the first host alone: one that replaces it must be able to live. */
  private String failpoints = Failpoint.setting();

  /**
   * The launcher is the command that runs {@code errand VERB}, up to but without the verb. Where
   * the journal does not last, hosts do not outlive the daemon: their tasks could not be found
   * again.
   */
  public HostStarter(
      List<String> launcher,
      ErrandHome home,
      String journalId,
      String build,
      boolean journalLasts,
      Time clock) {
    this.launcher = List.copyOf(launcher);
    this.home = home;
    this.journalId = journalId;
    this.build = build;
    this.journalLasts = journalLasts;
    this.clock = clock;
  }

  Path hostsFolder() {
    return home.hosts();
  }

  String build() {
    return build;
  }

  Time clock() {
    return clock;
  }

  String journalId() {
    return journalId;
  }

  /** Returns when the host listens. One call at a time. */
  void start(HostFolder folder) throws IOException, InterruptedException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder.path(), ownerOnly);
    var command = new ArrayList<>(launcher);
    command.addAll(
        List.of(
            "host",
            "--home",
            home.root().toString(),
            "--id",
            folder.id(),
            "--journal",
            journalId,
            "--build",
            build));
    if (!journalLasts) {
      command.addAll(List.of("--alone-ms", Long.toString(ALONE_MAX.toMillis())));
    }
    var builder = new ProcessBuilder(command);
    builder.environment().put("ERRAND_DETACH", "1");
    builder.environment().put("ERRAND_FAILPOINTS", failpoints);
    failpoints = "";
    builder.directory(Path.of("/").toFile());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.log().toFile()));
    PrivateFile.write(folder.boot(), Boot.currentId().getBytes(UTF_8));
    prepareLog(folder.log());
    awaitListening(builder.start(), folder);
  }

  /** The redirection would create it with the permissions of the umask. */
  private static void prepareLog(Path log) throws IOException {
    if (!Files.exists(log)) {
      var mode = PosixFilePermissions.fromString("rw-------");
      Files.createFile(log, PosixFilePermissions.asFileAttribute(mode));
    }
  }

  private void awaitListening(Process process, HostFolder folder)
      throws IOException, InterruptedException {
    var deadline = clock.ticks() + START_MAX.toNanos();
    while (!Files.exists(folder.address())) {
      // A launcher that detaches may have ended while its host lives; only a failure has a meaning.
      var failed = !process.isAlive() && process.exitValue() != 0;
      if (failed || folder.isDead(clock.instant()) || clock.ticks() > deadline) {
        throw new IOException("the host did not start: " + lastWord(folder));
      }
      clock.sleep(LOOK_AGAIN);
    }
  }

  /** What it said last, since its folder does not stay. */
  private static String lastWord(HostFolder folder) throws IOException {
    var text = new String(Files.readAllBytes(folder.log()), UTF_8);
    return text.lines().filter(it -> !it.isBlank()).reduce("it said nothing", (_, last) -> last);
  }
}
