package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A home of its own with the real program: launcher, daemon, host, all as processes. Closing it
 * ends everything that it started, by id.
 */
final class Sandbox implements AutoCloseable {
  private static final Path ROOT = Path.of(System.getProperty("errand.root", "")).toAbsolutePath();
  private static final Duration COMMAND_MAX = Duration.ofSeconds(60);

  private final Path folder;
  private final ErrandHome home;

  private Sandbox(Path folder) {
    this.folder = folder;
    this.home = new ErrandHome(folder.resolve("home"));
  }

  static Sandbox create() throws IOException {
    return create("");
  }

  /** With that text as its config.toml. */
  static Sandbox create(String config) throws IOException {
    var sandbox = new Sandbox(Files.createTempDirectory("errand-e2e"));
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectory(sandbox.home.root(), ownerOnly);
    if (!config.isEmpty()) {
      Files.writeString(sandbox.home.config(), config);
    }
    return sandbox;
  }

  /** A folder for the test's own files, beside the home. */
  Path folder() {
    return folder;
  }

  ErrandHome home() {
    return home;
  }

  /** What a command of the CLI gave. */
  record Result(int code, String out, String err) {
    Result succeeded() {
      assertThat(code).as("exit code; stdout: %s; stderr: %s", out, err).isZero();
      return this;
    }

    /** The one line that it printed. */
    String line() {
      return succeeded().out.strip();
    }

    JsonNode json() {
      return JsonMapper.shared().readTree(line());
    }
  }

  /** Runs {@code ./errand} with these arguments to its end. */
  Result errand(String... arguments) throws IOException, InterruptedException {
    var out = Files.createTempFile(folder, "out", "");
    var err = Files.createTempFile(folder, "err", "");
    var process =
        builder(arguments)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(COMMAND_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(
          "errand " + List.of(arguments) + " did not end; it said: " + Files.readString(err));
    }
    var result =
        new Result(
            process.exitValue(),
            Files.readString(out, StandardCharsets.UTF_8),
            Files.readString(err, StandardCharsets.UTF_8));
    Files.delete(out);
    Files.delete(err);
    return result;
  }

  /** The same, to be started and watched by the test. */
  ProcessBuilder builder(String... arguments) {
    var command = new ArrayList<>(List.of(ROOT.resolve("errand").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(it -> it.startsWith("ERRAND_"));
    environment.put("ERRAND_HOME", home.root().toString());
    environment.put("ERRAND_NO_BUILD", "1");
    return builder;
  }

  long daemonPid() throws IOException {
    return JsonMapper.shared()
        .readTree(Files.readString(home.daemonFile()))
        .path("pid")
        .longValue();
  }

  /** As a crash would: no chance to say goodbye. Returns when the process is gone. */
  void killDaemon() throws IOException {
    kill(daemonPid());
  }

  /** The pids of the hosts that live. */
  List<Long> hostPids() throws IOException {
    if (!Files.isDirectory(home.hosts())) {
      return List.of();
    }
    try (var hosts = Files.list(home.hosts())) {
      var pids = new ArrayList<Long>();
      for (var host : hosts.toList()) {
        var file = host.resolve("pid");
        if (Files.exists(file)) {
          var pid = Long.parseLong(Files.readString(file).strip());
          if (isAlive(pid)) {
            pids.add(pid);
          }
        }
      }
      return pids;
    }
  }

  void killHosts() throws IOException {
    for (var pid : hostPids()) {
      kill(pid);
    }
  }

  static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid)
        .ifPresent(process -> {
          process.destroyForcibly();
          process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        });
  }

  @Override
  public void close() throws IOException, InterruptedException {
    errand("down", "--all");
    if (Files.exists(home.daemonFile())) {
      killDaemon();
    }
    killHosts();
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
