package dev.errand.bench;

import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A home of its own with the assembled program in it: launcher, daemon and host as users have them,
 * with full durability unless the config says otherwise. Closing it ends all that it started.
 */
final class Rig implements AutoCloseable {
  /** Where the checkout lies, whose {@code target/dist} is measured. */
  static final Path ROOT = Path.of(System.getProperty("errand.root", ".")).toAbsolutePath();

  private static final Duration QUIET_MAX = Duration.ofMinutes(3);

  private final Path folder;
  private final ErrandHome home;

  private Rig(Path folder) {
    this.folder = folder;
    this.home = new ErrandHome(folder.resolve("home"));
  }

  static Rig start(String config) throws IOException, InterruptedException {
    var rig = prepare(config);
    rig.errand("up");
    return rig;
  }

  /** The home with its config, and nothing that runs in it. */
  static Rig prepare(String config) throws IOException {
    var rig = new Rig(Files.createTempDirectory("errand-bench"));
    var ownerOnly = PosixFilePermissions.fromString("rwx------");
    Files.createDirectory(rig.home.root(), PosixFilePermissions.asFileAttribute(ownerOnly));
    if (!config.isEmpty()) {
      Files.writeString(rig.home.config(), config);
    }
    return rig;
  }

  Path folder() {
    return folder;
  }

  ErrandHome home() {
    return home;
  }

  ErrandClient client() {
    return ErrandClient.connect(home);
  }

  /** Runs {@code ./errand} with these arguments to its end; the answer is what it printed. */
  String errand(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(ROOT.resolve("errand").toString()));
    command.addAll(List.of(arguments));
    return Programs.run(environment(), command);
  }

  Map<String, String> environment() {
    return Map.of("ERRAND_HOME", home.root().toString(), "ERRAND_NO_BUILD", "1");
  }

  long daemonPid() {
    return ErrandClient.daemonOf(home).orElseThrow().pid();
  }

  /** The newest host, which is the one that starts tasks. */
  long hostPid() throws IOException {
    try (var hosts = Files.list(home.hosts())) {
      var newest = hosts.max(Comparator.naturalOrder()).orElseThrow();
      return Long.parseLong(Files.readString(newest.resolve("pid")).strip());
    }
  }

  /** Waits until no task is under way. */
  void awaitQuiet(ErrandClient client) throws InterruptedException {
    var deadline = System.nanoTime() + QUIET_MAX.toNanos();
    while (!client.list(TaskFilter.ALL.active(true).limit(1)).tasks().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("tasks have not ended");
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      errand("down", "--all");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
