package dev.errand.daemon;

import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.attach.FirstScreen;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.MemoryLogs;
import dev.errand.daemon.schedule.Scheduler;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.FakeHost;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Authenticator;
import dev.errand.daemon.verb.Caller;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole daemon in this process, without a surface: the real parts over a journal in memory, a
 * host without processes, and logs in memory. A test of any surface calls its verbs and tools, or
 * opens that surface on them.
 */
public final class TestDaemon implements AutoCloseable {
  /** The token of its owner. */
  public static final String TOKEN = "open-sesame";

  /** The size of the disk reserve, which need not be written for a test. */
  private static final long RESERVE_BYTES = 8 << 20;

  private final Time clock;
  private final OpenParts open = new OpenParts();
  private final Substitutes substitutes;
  private final Startup startup;
  private final Parts parts;
  private final Doors doors;

  /** What a test can put in place of real parts; each default is the real one. */
  public interface Overrides {
    /** Nothing. */
    Overrides NONE = new Overrides() {};

    default Admin admin(Admin real) {
      return real;
    }

    default Supplier<Optional<String>> notReady(Supplier<Optional<String>> real) {
      return real;
    }

    default Supplier<Map<String, Number>> gauges(Supplier<Map<String, Number>> real) {
      return real;
    }

    default FirstScreen firstScreen(FirstScreen real) {
      return real;
    }
  }

  private TestDaemon(Path folder, Time clock, String toml, Overrides overrides)
      throws IOException, InterruptedException {
    this.clock = clock;
    var home = new ErrandHome(folder);
    prepare(home, toml);
    substitutes = new Substitutes(folder, overrides);
    startup =
        new Startup(
            home,
            Configuration.open(home.config(), null),
            StartMode.SERVE,
            new Build("0.1.0", "build-1", List.of("errand")),
            clock,
            open,
            substitutes);
    try {
      parts = Parts.open(startup);
      parts.start();
      var control = new Control(() -> {}, startup, parts);
      doors = new Doors(startup, parts, control.administration());
      doors.start();
    } catch (IOException | InterruptedException | RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private static void prepare(ErrandHome home, String toml) throws IOException {
    Files.createDirectories(home.root());
    Files.setPosixFilePermissions(home.root(), PosixFilePermissions.fromString("rwx------"));
    Files.writeString(home.token(), TOKEN);
    Files.writeString(home.config(), toml + "\n[tasks]\npersist = false\n");
    try (var reserve = new RandomAccessFile(home.reserve().toFile(), "rw")) {
      reserve.setLength(RESERVE_BYTES);
    }
  }

  /** {@code folder} is its home and that of its user. */
  public static TestDaemon open(Path folder, Time clock, String toml) throws IOException {
    return open(folder, clock, toml, Overrides.NONE);
  }

  public static TestDaemon open(Path folder, Time clock, String toml, Overrides overrides)
      throws IOException {
    try {
      return new TestDaemon(folder, clock, toml, overrides);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the daemon started", e);
    }
  }

  public FakeHost host() {
    return Objects.requireNonNull(substitutes.host);
  }

  public MemoryLogs logs() {
    return Objects.requireNonNull(substitutes.logs);
  }

  public Engine engine() {
    return parts.storage().engine;
  }

  public Journal journal() {
    return parts.storage().journal;
  }

  public Feed feed() {
    return parts.storage().feed;
  }

  public Tokens tokens() {
    return parts.storage().tokens;
  }

  public TaskProcesses processes() {
    return parts.watching().processes;
  }

  public ComputePool compute() {
    return parts.watching().compute;
  }

  public Config config() {
    return startup.config();
  }

  public Verbs verbs() {
    return doors.verbs();
  }

  public Catalogue tools() {
    return doors.tools();
  }

  public Authenticator authenticator() {
    return doors.authenticator();
  }

  /** Opens a surface on this daemon, which closes it first; on failure the daemon is closed. */
  public <T extends AutoCloseable> T serve(Opening<T> opening) throws IOException {
    try {
      return open.add("surface", opening.open());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** How a surface is opened. */
  public interface Opening<T> {
    T open() throws IOException;
  }

  /** Each told read of a result, in order. */
  public List<Read> reads() {
    return List.copyOf(substitutes.reads);
  }

  /** A result that was read: {@code taskId} by {@code reader}. */
  public record Read(TaskId taskId, ResultReads.Reader reader) {}

  /** Asks the verb as the owner, in the session {@code cli}. */
  public TaskId spawn(String body) throws InterruptedException {
    var request =
        new SpawnTask.Request(
            Json.read(body.getBytes(StandardCharsets.UTF_8)), new SessionId("cli"), null);
    var owner = Ask.of(Caller.PERSON, null, new WaitSlots(1), _ -> {});
    return verbs().tasks().spawn().run(owner, request).id();
  }

  /** A running task that reads its input. */
  public TaskId running() throws InterruptedException {
    var taskId = spawn("{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"stdin\":true}");
    host().start(taskId);
    return taskId;
  }

  /** From now on no task starts, and new ones are queued. */
  public void fill() {
    parts
        .scheduling()
        .scheduler
        .limit(new Scheduler.Limits(0, 10_000, 0, 0, Duration.ZERO, 0, Duration.ZERO));
  }

  /** Returns when all is closed; a clock that stands still is moved meanwhile. */
  @Override
  public void close() {
    endTasks();
    if (clock instanceof SettableClock moved) {
      var closing = CompletableFuture.runAsync(open::close);
      await()
          .until(() -> {
            moved.advance(Duration.ofMillis(5));
            return closing.isDone();
          });
    } else {
      open.close();
    }
  }

  /** The daemon waits for its tasks, since they are lost with its journal. */
  private void endTasks() {
    fill();
    for (var it : engine().live()) {
      switch (it.state()) {
        case TaskState.Claimed _ -> {
          host().start(it.taskId());
          host().exit(it.taskId(), 0, null);
        }
        case TaskState.Running _ -> host().exit(it.taskId(), 0, null);
        case TaskState.Held _, TaskState.Queued _, TaskState.Ended _, TaskState.Absent _ -> {}
      }
    }
  }

  private static final class Substitutes implements Replacements {
    private final Path userHome;
    private final Overrides overrides;
    private final List<Read> reads = new CopyOnWriteArrayList<>();

    /** Both are set while the parts are opened. */
    private @Nullable FakeHost host;

    private @Nullable MemoryLogs logs;

    Substitutes(Path userHome, Overrides overrides) {
      this.userHome = userHome;
      this.overrides = overrides;
    }

    @Override
    public CommandRunner runner(CommandRunner hosts, Engine engine) {
      var fake = new FakeHost(engine, Objects.requireNonNull(logs));
      host = fake;
      return fake;
    }

    @Override
    public Outputs outputs(Outputs files) {
      var memory = new MemoryLogs(files.artifacts());
      logs = memory;
      return new Outputs(memory, memory, files.artifacts(), files.archive());
    }

    @Override
    public ResultReads reads(ResultReads marks) {
      return (taskId, reader) -> {
        reads.add(new Read(taskId, reader));
        marks.read(taskId, reader);
      };
    }

    @Override
    public FirstScreen firstScreen(FirstScreen screens) {
      return overrides.firstScreen(screens);
    }

    @Override
    public Administration administration(Administration control) {
      return new Administration(
          overrides.admin(control.admin()),
          overrides.notReady(control.notReady()),
          overrides.gauges(control.gauges()));
    }

    @Override
    public Path userHome(Path folder) {
      return userHome;
    }

    /** Only the test may end this process. */
    @Override
    public void exit(int status) {
      throw new IllegalStateException("the daemon would exit with " + status);
    }
  }
}
