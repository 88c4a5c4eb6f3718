package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A home of its own with the real program: launcher, daemon, host, all as processes. Closing it
 * ends everything that it started, by id.
 */
final class Sandbox implements AutoCloseable {
  private static final Duration COMMAND_MAX = Duration.ofSeconds(60);

  /** Generous, since it is passed only when something hangs. */
  static final Duration PATIENCE = Duration.ofSeconds(45);

  private final Path folder;
  private final ErrandHome home;
  private final Path jdk;

  private Sandbox(Path folder, Path jdk) {
    this.folder = folder;
    this.home = new ErrandHome(folder.resolve("home"));
    this.jdk = jdk;
  }

  static Sandbox create() throws IOException {
    return create("");
  }

  /** With that text as its config.toml. */
  static Sandbox create(String config) throws IOException {
    var folder = Files.createTempDirectory("errand-e2e");
    var sandbox = new Sandbox(folder, QuickJdk.in(folder));
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
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record Result(int code, byte[] bytes, String err) {
    String out() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    Result succeeded() {
      assertThat(code).as("exit code; stdout: %s; stderr: %s", out(), err).isZero();
      return this;
    }

    /** The one line that it printed. */
    String line() {
      return succeeded().out().strip();
    }

    JsonNode json() {
      return JsonMapper.shared().readTree(line());
    }

    private static JsonNode parsed(String line) {
      return JsonMapper.shared().readTree(line);
    }

    /** What it printed, each line an object. */
    List<JsonNode> jsonLines() {
      return out().lines().map(Result::parsed).toList();
    }
  }

  /** Runs {@code ./errand} with these arguments to its end. */
  Result errand(String... arguments) throws IOException, InterruptedException {
    return finish(builder(arguments).redirectInput(Path.of("/dev/null").toFile()));
  }

  /** The same, with this text piped in. */
  Result errandGiven(String input, String... arguments) throws IOException, InterruptedException {
    var file = Files.writeString(Files.createTempFile(folder, "in", ""), input);
    return finish(builder(arguments).redirectInput(file.toFile()));
  }

  /** Runs a program to its end, within a bound. */
  Result finish(ProcessBuilder builder) throws IOException, InterruptedException {
    var out = Files.createTempFile(folder, "out", "");
    var err = Files.createTempFile(folder, "err", "");
    var process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    if (!process.waitFor(COMMAND_MAX)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(
          builder.command() + " did not end; it said: " + Files.readString(err));
    }
    return new Result(process.exitValue(), Files.readAllBytes(out), Files.readString(err));
  }

  /** The same, to be started and watched by the test. */
  ProcessBuilder builder(String... arguments) {
    var command = new ArrayList<>(List.of(Checkout.ROOT.resolve("errand").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    var environment = builder.environment();
    environment.keySet().removeIf(it -> it.startsWith("ERRAND_"));
    environment.put("ERRAND_HOME", home.root().toString());
    environment.put("ERRAND_NO_BUILD", "1");
    environment.put("JAVA_HOME", jdk.toString());
    return builder;
  }

  ErrandClient client() {
    return ErrandClient.connect(home);
  }

  /** Starts a daemon unless one runs; returns when it takes tasks. */
  void up() throws IOException, InterruptedException {
    errand("up").succeeded();
  }

  /** Starts a daemon as a child of the test, which is quicker than {@link #up}. */
  Process serve() throws IOException {
    return serve(builder("serve"));
  }

  /** The same, with points armed at which it, or the first host that it starts, dies or fails. */
  Process serveWithFailpoints(String setting) throws IOException {
    var builder = builder("serve");
    builder.environment().put("ERRAND_FAILPOINTS", setting);
    return serve(builder);
  }

  /** Starts a daemon by a command of the test's own; returns when it takes tasks. */
  Process serve(ProcessBuilder builder) throws IOException {
    return serve(builder, ErrandClient::isReady);
  }

  /** The same, where it is enough that it answers as told. */
  Process serve(ProcessBuilder builder, Predicate<ErrandClient> answers) throws IOException {
    var log = ProcessBuilder.Redirect.appendTo(home.daemonLog().toFile());
    var daemon = builder.redirectErrorStream(true).redirectOutput(log).start();
    try (var client = client()) {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .failFast("the daemon ended; see its log", () -> !daemon.isAlive())
          .until(() -> isServing(daemon.pid()) && answers.test(client));
    }
    return daemon;
  }

  /** An old daemon.json may still name the daemon before. */
  private boolean isServing(long pid) {
    var announced = ErrandClient.daemonOf(home).map(DaemonFile::pid).orElse(0L);
    return announced == pid;
  }

  /** Asks over TCP, as any program could; the daemon must have been told to listen there. */
  HttpResponse<byte[]> get(String target, String range) throws IOException, InterruptedException {
    var request = request(target);
    if (!range.isEmpty()) {
      request.header("Range", range);
    }
    return send(request);
  }

  /** Uploads over TCP; the daemon must have been told to listen there. */
  HttpResponse<byte[]> put(String target, byte[] body) throws IOException, InterruptedException {
    return send(request(target).PUT(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  private HttpRequest.Builder request(String target) throws IOException {
    var address = ErrandClient.daemonOf(home).orElseThrow().http();
    return HttpRequest.newBuilder(URI.create("http://" + address + target))
        .header("Authorization", "Bearer " + Files.readString(home.token()).strip());
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  /** In no file of the home: journal, logs, artifacts, records, log lines. */
  void assertNowhere(String secret) throws IOException {
    for (var file : Checkout.filesBelow(home.root())) {
      if (!file.startsWith(home.builds())) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(secret);
      }
    }
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

  /** As a service manager would, with SIGTERM. Returns when the process is gone. */
  void stopDaemon() throws IOException {
    ProcessHandle.of(daemonPid())
        .ifPresent(daemon -> {
          daemon.destroy();
          daemon.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        });
  }

  /** As an accident would, while no daemon runs. */
  void removeJournal() throws IOException {
    for (var part : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(Path.of(home.database() + part));
    }
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

  /** Until the task has written something, however long ago. */
  static void awaitOutput(ErrandClient client, TaskId taskId) {
    awaitOutput(client, taskId, 0);
  }

  /** Until the task has written more than is known of it now, as one does that goes on. */
  static void awaitMoreOutput(ErrandClient client, TaskId taskId) {
    awaitOutput(client, taskId, client.status(taskId).bytesTotal(LogStream.STDOUT));
  }

  private static void awaitOutput(ErrandClient client, TaskId taskId, long bytesBefore) {
    await()
        .atMost(PATIENCE)
        .until(() -> client.status(taskId).bytesTotal(LogStream.STDOUT) > bytesBefore);
  }

  /** A process that has ended and only waits to be collected by its parent does not live. */
  static boolean isAlive(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid)
        .ifPresent(process -> {
          process.destroyForcibly();
          process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        });
  }

  /** Only a daemon ends tasks, so one is started for that where a test has killed it. */
  private void end() throws IOException, InterruptedException {
    if (errand("down", "--all").code() != 0) {
      errand("up");
      errand("down", "--all");
    }
    if (Files.exists(home.daemonFile())) {
      killDaemon();
    }
    killHosts();
  }

  @Override
  public void close() throws IOException {
    try {
      end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while ending the program");
    }
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
