package dev.errand.daemon.surface.http;

import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
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
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.condition.ListeningPorts;
import dev.errand.daemon.condition.RenderedScreens;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.ConfigFile;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.daemon.inbox.InboxSignal;
import dev.errand.daemon.inbox.NoticeViews;
import dev.errand.daemon.output.MemoryLogs;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.screen.Screens;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.store.memory.MemoryJournal;
import dev.errand.daemon.task.Admission;
import dev.errand.daemon.task.Batches;
import dev.errand.daemon.task.FakeHost;
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
import dev.errand.daemon.toolbox.Toolbox;
import dev.errand.daemon.verb.About;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Floor;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.webhook.Webhooks;
import dev.errand.testkit.SequentialIds;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFrameCodec;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The real surface on real sockets, over a journal in memory and a host that tests drive. */
public final class Surface implements AutoCloseable {
  static final String TOKEN = "open-sesame";
  private static final Time MACHINE = new SystemTime();

  final Path folder;
  final MemoryJournal journal = new MemoryJournal();
  public final Engine engine;
  final Feed feed;
  final MemoryLogs logs;
  public final FakeHost hosts;
  final List<String> reads = new CopyOnWriteArrayList<>();

  /** The same tasks with the session that they were read for. */
  final List<String> readFor = new CopyOnWriteArrayList<>();

  final List<String> admin = new CopyOnWriteArrayList<>();
  public final Tokens tokens;
  final Webhooks webhooks;
  public final TaskProcesses processes;
  final ListeningPorts ports;
  final ComputePool compute;
  public final Verbs verbs;
  final HttpSurface http;

  /** What a terminal looks like to a client that is attached for the first time. */
  volatile FirstScreen screen = (_, _) -> new FirstScreen.Drawn("", 0, -1);

  volatile Optional<String> notReady = Optional.empty();

  /** Whether all places are taken, so that new tasks wait. */
  volatile boolean full;

  private final Time clock;

  private Surface(Path folder, HttpSettings settings, Config config) throws IOException {
    this.folder = folder;
    this.clock = settings.clock();
    feed = new Feed(journal, clock);
    compute = ComputePool.start(clock);
    var ids = new SequentialIds();
    var codec = new JsonFrameCodec();
    var tokenFile = Files.writeString(folder.resolve("token"), TOKEN);
    tokens = Tokens.open(tokenFile, folder.resolve("tokens.json"), Profile.SAFE, clock);
    var artifacts = new ArtifactStore(folder.resolve("artifacts"), Durability.NORMAL, clock);
    engine = new Engine(journal, journal.takeOver("test"), codec, ids, clock, (_, _) -> {});
    engine.subscribe(feed);
    logs = new MemoryLogs(artifacts);
    hosts = new FakeHost(engine, logs);
    var tasks = new Tasks(engine, feed, new Runners(hosts), new SetAdmission(), ids, clock);
    var views = new TaskViews(engine, journal, codec);
    var policy = new SpawnPolicy(config::policy, folder, clock);
    var sessions = new Sessions(engine, journal, clock);
    var spawns =
        new Spawns(
            new SpecBuilder(() -> config, folder),
            policy,
            tasks,
            engine,
            new Relations(engine, journal, () -> 3),
            sessions,
            clock);
    var resultReads = new NotingReads();
    var screens =
        new Screens(
            journal,
            codec,
            logs,
            folder.resolve("screens"),
            Screens.Limits.DEFAULTS,
            engine::liveSnapshot,
            clock);
    processes = new TaskProcesses(engine, journal.id(), clock);
    ports = new ListeningPorts(processes, clock).start();
    var terminals = new RenderedScreens(screens);
    var sources = new Conditions.Sources(logs, ports, terminals);
    var conditions = new Conditions(engine, journal, codec, feed, sources, clock);
    var attachments =
        new Attachments(
            new Attachments.Sources(
                tasks,
                views,
                feed,
                codec,
                logs,
                (share, it) -> screen.draw(share, it),
                resultReads),
            config.attaching(),
            clock);
    var uploads = new Uploads(engine, clock);
    var signal = new InboxSignal(clock);
    var inbox = new Inbox(engine, journal, signal, clock);
    var notices =
        new NoticeViews(
            journal, codec, views, new Tails(journal, codec, logs, engine::liveSnapshot));
    engine.subscribe(signal);
    webhooks =
        new Webhooks(
            new Webhooks.Sources(engine, journal, inbox, notices, tokens::knows, clock),
            folder.resolve("webhooks"),
            config.inbox());
    var about = new About("0.1.0", "build-1", 1, Instant.now());
    var gauges =
        new TreeMap<String, Number>(
            Map.of("errand_host_tasks", 7, "errand_p{pid=\"1\"}", 1, "errand_p{pid=\"2\"}", 1));
    verbs =
        Verbs.of(
            new Verbs.Parts(
                Floor.of(engine, journal),
                new Verbs.Parts.Journaled(engine, journal, feed, codec),
                new Verbs.Parts.Work(
                    tasks, views, spawns, new Batches(engine, tasks, views, clock), resultReads),
                new Verbs.Parts.Output(logs, artifacts, uploads, conditions, screens, compute),
                new Verbs.Parts.Told(inbox, notices, config.inbox().textCharsMax(), webhooks),
                new Verbs.Parts.Running(
                    new NotingAdmin(), about, () -> notReady, () -> gauges, tokens, attachments),
                clock));
    var authenticator = new Authenticator(engine, tokens, processes);
    var tools = Toolbox.filled(verbs, clock, () -> config);
    http = HttpSurface.start(settings, authenticator, verbs, tools);
  }

  public static Surface start(Path folder) throws IOException {
    return start(folder, "127.0.0.1:0", HttpSettings.Times.DEFAULTS, Config.DEFAULTS.serving());
  }

  static Surface start(
      Path folder, @Nullable String listen, HttpSettings.Times times, Config.Serving limits)
      throws IOException {
    var socket = folder.resolve("run").resolve("errand.sock");
    return new Surface(
        folder, new HttpSettings(socket, listen, () -> limits, times, MACHINE), Config.DEFAULTS);
  }

  /** By a clock that the test moves. */
  static Surface start(Path folder, SettableClock clock) throws IOException {
    Files.createDirectories(folder);
    var serving = Config.DEFAULTS.serving();
    var socket = folder.resolve("run").resolve("errand.sock");
    var times = HttpSettings.Times.DEFAULTS;
    return new Surface(
        folder,
        new HttpSettings(socket, "127.0.0.1:0", () -> serving, times, clock),
        Config.DEFAULTS);
  }

  /** With a policy, as it would stand in the config. */
  static Surface start(Path folder, String policy) throws IOException {
    var config = ConfigFile.read(Files.writeString(folder.resolve("config.toml"), policy));
    var socket = folder.resolve("run").resolve("errand.sock");
    var settings =
        new HttpSettings(
            socket, "127.0.0.1:0", config::serving, HttpSettings.Times.DEFAULTS, MACHINE);
    return new Surface(folder, settings, config);
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

  @Override
  public void close() {
    if (clock instanceof SettableClock moved) {
      var closing = CompletableFuture.runAsync(http::close);
      await()
          .until(() -> {
            moved.advance(Duration.ofMillis(5));
            return closing.isDone();
          });
    } else {
      http.close();
    }
    ports.close();
    journal.close();
  }

  private final class SetAdmission implements Admission {
    @Override
    public boolean tryEnter(TaskId taskId, TaskSpec spec) {
      return !full;
    }

    @Override
    public void checkHeld(TaskSpec spec) {}

    @Override
    public void leave(TaskId taskId) {}
  }

  private final class NotingReads implements ResultReads {
    @Override
    public void read(TaskId taskId, Reader reader) {
      reads.add(taskId + " " + reader.by());
      readFor.add(taskId + " " + reader.session());
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
