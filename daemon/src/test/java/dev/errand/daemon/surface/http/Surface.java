package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Command;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.daemon.TestDaemon;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.MemoryLogs;
import dev.errand.daemon.task.FakeHost;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.Verbs;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.json.Json;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The real surface on real sockets, over a whole daemon with a host that tests drive. */
public final class Surface implements AutoCloseable {
  static final String TOKEN = TestDaemon.TOKEN;
  private static final Time MACHINE = new SystemTime();

  final Path folder;
  private final TestDaemon daemon;
  public final Engine engine;
  final Journal journal;
  final Feed feed;
  final MemoryLogs logs;
  public final FakeHost hosts;
  final List<String> admin = new CopyOnWriteArrayList<>();
  public final Tokens tokens;
  public final TaskProcesses processes;
  final ComputePool compute;
  public final Verbs verbs;
  final HttpSurface http;

  /** What a terminal looks like to a client that is attached for the first time. */
  volatile FirstScreen screen = (_, _) -> new FirstScreen.Drawn("", 0, -1);

  volatile Optional<String> notReady = Optional.empty();

  private Surface(
      Path folder,
      String toml,
      @Nullable String listen,
      HttpSettings.Times times,
      Config.@Nullable Serving limits,
      Time clock)
      throws IOException {
    this.folder = folder;
    daemon = TestDaemon.open(folder, clock, toml, new Overrides());
    engine = daemon.engine();
    journal = daemon.journal();
    feed = daemon.feed();
    logs = daemon.logs();
    hosts = daemon.host();
    tokens = daemon.tokens();
    processes = daemon.processes();
    compute = daemon.compute();
    verbs = daemon.verbs();
    var serving = limits == null ? daemon.config().serving() : limits;
    var socket = folder.resolve("run").resolve("errand.sock");
    var settings = new HttpSettings(socket, listen, () -> serving, times, clock);
    http =
        daemon.serve(
            () -> HttpSurface.start(settings, daemon.authenticator(), verbs, daemon.tools()));
  }

  public static Surface start(Path folder) throws IOException {
    return start(folder, "");
  }

  static Surface start(
      Path folder, @Nullable String listen, HttpSettings.Times times, Config.Serving limits)
      throws IOException {
    return new Surface(folder, "", listen, times, limits, MACHINE);
  }

  /** By a clock that the test moves. */
  static Surface start(Path folder, SettableClock clock) throws IOException {
    return new Surface(folder, "", "127.0.0.1:0", HttpSettings.Times.DEFAULTS, null, clock);
  }

  /** With settings, as they would stand in the config. */
  static Surface start(Path folder, String toml) throws IOException {
    return new Surface(folder, toml, "127.0.0.1:0", HttpSettings.Times.DEFAULTS, null, MACHINE);
  }

  static HttpSettings.Times times(Duration idle, Duration keepAlive) {
    return new HttpSettings.Times(idle, keepAlive);
  }

  Wire unix() throws IOException {
    return Wire.to(UnixDomainSocketAddress.of(folder.resolve("run").resolve("errand.sock")));
  }

  InetSocketAddress tcpAddress() {
    if (http.tcp() instanceof TcpListener.Open(var address)) {
      return address;
    }
    throw new IllegalStateException("there is no TCP door");
  }

  Wire tcp() throws IOException {
    return Wire.to(tcpAddress());
  }

  String tcpHost() {
    return "127.0.0.1:" + tcpAddress().getPort();
  }

  Wire.Answer get(String target) throws IOException {
    return call("GET", target, Map.of(), null);
  }

  Wire.Answer get(String target, Map<String, String> headers) throws IOException {
    return call("GET", target, headers, null);
  }

  Wire.Answer post(String target, String body) throws IOException {
    return call("POST", target, Map.of(), body);
  }

  Wire.Answer keyed(String method, String target, String key, String body) throws IOException {
    return call(method, target, Map.of("Idempotency-Key", key), body);
  }

  Wire.Answer call(String method, String target, Map<String, String> headers, @Nullable String body)
      throws IOException {
    try (var wire = unix()) {
      var bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
      wire.request(method, target, headers, bytes);
      return wire.answer(method);
    }
  }

  Wire.Answer tcpCall(String method, String target, Map<String, String> headers)
      throws IOException {
    return tcpCall(method, target, headers, null);
  }

  Wire.Answer tcpCall(
      String method, String target, Map<String, String> headers, @Nullable String body)
      throws IOException {
    var all = new HashMap<String, String>();
    all.put("Host", tcpHost());
    all.put("Authorization", "Bearer " + TOKEN);
    all.putAll(headers);
    all.values().removeIf(String::isEmpty);
    try (var wire = tcp()) {
      var bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
      wire.request(method, target, all, bytes);
      return wire.answer(method);
    }
  }

  /** A token that may do everything. */
  String owner(String name) {
    return tokens
        .mint(new Tokens.Manager.Owner("cli"), new Tokens.NewToken(name, Profile.FULL_AUTO, null))
        .token();
  }

  static JsonNode json(Wire.Answer answer) {
    return Json.read(answer.body());
  }

  static String code(Wire.Answer answer) {
    return json(answer).path("code").stringValue("");
  }

  TaskId spawn() throws IOException {
    return spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"stdin\":true}");
  }

  TaskId spawn(String body) throws IOException {
    return new TaskId(json(post("/tasks", body)).path("task_id").stringValue(""));
  }

  /** A running task with a terminal of that size. */
  TaskId terminal(int rows, int cols) {
    var taskId = new TaskId("0198c000-0000-7000-8000-000000000001");
    var spec =
        new TaskSpec(
            new TaskSpec.Origin(new SessionId("s"), "tester", null, null, null),
            new Command(
                "bash",
                new Invocation.Shell("vim"),
                "/",
                Environment.NONE,
                new Command.Io(
                    Command.ExecutionMode.PTY,
                    true,
                    1 << 30,
                    Command.OnOutputLimit.TRUNCATE,
                    100_000,
                    new TerminalSize(rows, cols)),
                new Command.Limits(
                    null,
                    null,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(2),
                    Command.Leftover.KILL),
                Command.OnRestart.LOST));
    engine.submit(taskId, new TaskCommand.Spawn(spec, hosts.claim()), null).orThrow();
    hosts.start(taskId);
    return taskId;
  }

  /** A running task with a terminal of 24 by 80. */
  TaskId terminal() throws IOException {
    var taskId =
        spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"sh\"},\"execution_mode\":\"pty\"}");
    hosts.start(taskId);
    return taskId;
  }

  long lastSeq(TaskId taskId) throws IOException {
    return json(get("/tasks/" + taskId)).path("last_seq").longValue();
  }

  public TaskId running() throws IOException {
    var taskId = spawn();
    hosts.start(taskId);
    return taskId;
  }

  /** Which results were read, and by whom. */
  List<String> reads() {
    return daemon.reads().stream().map(it -> it.taskId() + " " + it.reader().by()).toList();
  }

  /** The same tasks with the session that they were read for. */
  List<String> readFor() {
    return daemon.reads().stream().map(it -> it.taskId() + " " + it.reader().session()).toList();
  }

  /** From now on new tasks wait. */
  void fill() {
    daemon.fill();
  }

  @Override
  public void close() {
    daemon.close();
  }

  private final class Overrides implements TestDaemon.Overrides {
    @Override
    public Admin admin(Admin real) {
      return new NotingAdmin();
    }

    @Override
    public Supplier<Optional<String>> notReady(Supplier<Optional<String>> real) {
      return () -> notReady;
    }

    @Override
    public Supplier<Map<String, Number>> gauges(Supplier<Map<String, Number>> real) {
      var gauges =
          new TreeMap<String, Number>(
              Map.of("errand_host_tasks", 7, "errand_p{pid=\"1\"}", 1, "errand_p{pid=\"2\"}", 1));
      return () -> gauges;
    }

    @Override
    public FirstScreen firstScreen(FirstScreen real) {
      return (share, it) -> screen.draw(share, it);
    }
  }

  private final class NotingAdmin implements Admin {
    @Override
    public Stopping shutdown(Stop stop) {
      admin.add("shutdown " + stop);
      return new Stopping("drain", Duration.ofSeconds(9));
    }

    @Override
    public Cleaned gc() {
      admin.add("gc");
      return new Cleaned(1, 2, 3, 4, 5);
    }

    @Override
    public Configuration.Listing config() {
      return new Configuration.Listing(Path.of("config.toml"), List.of());
    }

    @Override
    public List<LeftProcess> processes() {
      var taskId = new TaskId("0198c000-0000-7000-8000-000000000001");
      return List.of(new LeftProcess(4711, 9, true, "sleep 99", List.of(taskId)));
    }

    @Override
    public EndedProcess endProcess(long pid, String by) {
      admin.add("end " + pid);
      return new EndedProcess(pid, List.of(pid), List.of());
    }

    @Override
    public Configuration.Reloaded reload() {
      admin.add("reload");
      var change = new Configuration.Change("tasks.max_running", "4", "8");
      return new Configuration.Reloaded(List.of(change), List.of());
    }
  }
}
