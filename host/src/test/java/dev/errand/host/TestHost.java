package dev.errand.host;

import dev.errand.core.task.Command;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.host.log.LogRead;
import dev.errand.host.log.LogReader;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A host in this JVM and a daemon's view of it: its client, its records and its logs. */
final class TestHost {
  static final String JOURNAL = "journal-1";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** So much passes by a moved clock while it is looked for records, and how often it is looked. */
  private static final Duration STEP = Duration.ofMillis(50);

  private static final long LOOK_MS = 10;
  private static final Duration STDIN_TIMEOUT = Duration.ofSeconds(10);
  private static final Time MACHINE = new SystemTime();

  private final Host host;
  private final Thread house;
  private final Time clock;
  private final Path root;
  private HostClient client;
  private final RecordReader reader;
  private final LogReader logs;
  private final Semaphore hints = new Semaphore(0);
  private final List<HostRecord> seen = new ArrayList<>();
  private volatile List<HostReply.Left> left = List.of();

  private TestHost(Host host, Path root, Time clock) throws IOException, InterruptedException {
    var home = new ErrandHome(root);
    var folder = HostFiles.of(home, "host-1");
    this.host = host;
    this.clock = clock;
    this.house = Thread.ofPlatform().daemon().start(() -> keepHouse(host));
    this.root = root;
    this.client = connect(folder.address());
    this.reader = new RecordReader(folder.records(), MACHINE);
    this.logs = new LogReader(home.logs());
    value(client.hello(JOURNAL, "build-1"));
  }

  /** These limits for what a test leaves behind if it goes wrong, and short times at the end. */
  static HostRequest.Limits limits(ResourceLimits resources) {
    return new HostRequest.Limits(
        1 << 20,
        HostRequest.OnOutputLimit.TRUNCATE,
        Duration.ofSeconds(30),
        null,
        Duration.ofMillis(300),
        Duration.ofMillis(300),
        resources);
  }

  static TestHost start(Path root) throws IOException, InterruptedException {
    return start(root, STDIN_TIMEOUT, Host.Settings.SEGMENT_BYTES_MAX_DEFAULT);
  }

  static TestHost start(Path root, Duration stdinTimeout, long segmentBytesMax)
      throws IOException, InterruptedException {
    return start(root, stdinTimeout, segmentBytesMax, MACHINE);
  }

  /** One for which time passes only when the test moves the clock, or waits for a record. */
  static TestHost start(Path root, SettableClock clock) throws IOException, InterruptedException {
    return start(root, STDIN_TIMEOUT, Host.Settings.SEGMENT_BYTES_MAX_DEFAULT, clock);
  }

  private static TestHost start(Path root, Duration stdinTimeout, long segmentBytesMax, Time clock)
      throws IOException, InterruptedException {
    var settings =
        new Host.Settings(
            new ErrandHome(root),
            "host-1",
            JOURNAL,
            "build-1",
            Duration.ofSeconds(60),
            null,
            stdinTimeout,
            segmentBytesMax);
    return new TestHost(Host.start(settings, clock), root, clock);
  }

  private static void keepHouse(Host host) {
    try {
      host.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  HostClient client() {
    return client;
  }

  /** Comes back as a restarted daemon would. */
  void reconnect() throws IOException, InterruptedException {
    client.close();
    var address = HostFiles.of(new ErrandHome(root), "host-1").address();
    client = connect(address);
    value(client.hello(JOURNAL, "build-1"));
  }

  private HostClient connect(Path address) throws IOException {
    return HostClient.connect(
        address, MACHINE, HostClient.ANSWER_MAX, hints::release, it -> left = it, () -> {});
  }

  /** Which processes live on beside the tasks, as the host said last. */
  List<HostReply.Left> left() {
    return left;
  }

  long segment() {
    return reader.segment();
  }

  LogReader logs() {
    return logs;
  }

  static AttemptId newAttempt() {
    return new AttemptId(new TaskId(UUID.randomUUID().toString()), 1);
  }

  static HostRequest.Spawn shell(String line) {
    return shell(line, HostRequest.Limits.none());
  }

  static HostRequest.Spawn shell(String line, HostRequest.Limits limits) {
    return request(new HostRequest.Program.Command(line), limits, false, Map.of());
  }

  static HostRequest.Spawn shellWithStdin(String line) {
    var program = new HostRequest.Program.Command(line);
    return request(program, HostRequest.Limits.none(), true, Map.of());
  }

  static HostRequest.Spawn request(
      HostRequest.Program program,
      HostRequest.Limits limits,
      boolean stdin,
      Map<String, String> env) {
    return new HostRequest.Spawn(
        newAttempt(),
        "session-1",
        program,
        new HostRequest.Surroundings("/", env, stdin),
        limits,
        HostRequest.Leftover.KILL,
        false,
        Map.of());
  }

  static HostRequest.Spawn keeping(HostRequest.Spawn request) {
    return new HostRequest.Spawn(
        request.id(),
        request.sessionId(),
        request.program(),
        request.surroundings(),
        request.limits(),
        HostRequest.Leftover.KEEP,
        request.sync(),
        request.startOffsets());
  }

  /** The same at a terminal, if the mode says so. */
  static HostRequest.Spawn in(Command.ExecutionMode mode, HostRequest.Spawn request) {
    var old = request.surroundings();
    var terminal = mode == Command.ExecutionMode.PTY ? TerminalSize.DEFAULT : null;
    return new HostRequest.Spawn(
        request.id(),
        request.sessionId(),
        request.program(),
        new HostRequest.Surroundings(
            old.cwd(), old.env(), old.stdin(), old.secretNames(), terminal, false),
        request.limits(),
        request.leftover(),
        request.sync(),
        request.startOffsets());
  }

  static HostRequest.Spawn terminal(String line) {
    return in(Command.ExecutionMode.PTY, shell(line));
  }

  static HostRequest.Stdin typed(AttemptId id, String opId, String text, boolean eof) {
    var data = Data.of(text.getBytes(StandardCharsets.UTF_8));
    return new HostRequest.Stdin(id, opId, data, eof, false, "tester");
  }

  boolean spawn(HostRequest.Spawn request) throws IOException, InterruptedException {
    return value(client.spawn(request)).started();
  }

  boolean cancel(AttemptId id) throws IOException, InterruptedException {
    return value(client.cancel(new HostRequest.Cancel(id, null, "test"))).ended();
  }

  /** Spawns it and waits for its end; all its records, the last of which is the exit. */
  List<HostRecord> run(HostRequest.Spawn request) throws IOException, InterruptedException {
    spawn(request);
    awaitExit(request.id());
    return of(request.id());
  }

  HostRecord.Exited awaitExit(AttemptId id) throws IOException, InterruptedException {
    return (HostRecord.Exited) await(id, HostRecord.Exited.class::isInstance);
  }

  /** Reads records until one of this attempt fits. */
  HostRecord await(AttemptId id, Predicate<HostRecord> wanted)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      seen.addAll(reader.next(10_000));
      var found = of(id).stream().filter(wanted).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + PATIENCE + "; there is only " + of(id));
      }
      pass();
      hints.drainPermits();
      var _ = hints.tryAcquire(LOOK_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Looks only when there was a hint, until the records of this attempt are as wanted. */
  void awaitTold(AttemptId id, Predicate<List<HostRecord>> wanted)
      throws IOException, InterruptedException {
    do {
      if (!hints.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("no hint within " + PATIENCE + "; told was " + of(id));
      }
      seen.addAll(reader.next(10_000));
    } while (!wanted.test(of(id)));
  }

  List<HostRecord> of(AttemptId id) {
    return seen.stream()
        .filter(it -> it.taskId().equals(id.taskId()) && it.attempt() == id.attempt())
        .toList();
  }

  static <T extends HostRecord> List<T> only(List<HostRecord> records, Class<T> type) {
    return records.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** All stored bytes of a log, over its gaps. */
  byte[] log(AttemptId id, LogStream stream) throws IOException {
    var all = new ByteArrayOutputStream();
    var buffer = ByteBuffer.allocate(1 << 20);
    var offset = 0L;
    while (true) {
      switch (logs.read(id.taskId(), stream, offset, buffer.clear())) {
        case LogRead.Bytes(var count) -> {
          all.write(buffer.array(), 0, count);
          offset += count;
        }
        case LogRead.Dropped(var next) -> offset = next;
        case LogRead.End() -> {
          return all.toByteArray();
        }
      }
    }
  }

  String stdout(AttemptId id) throws IOException {
    return new String(log(id, LogStream.STDOUT), StandardCharsets.UTF_8);
  }

  String pty(AttemptId id) throws IOException {
    return new String(log(id, LogStream.PTY), StandardCharsets.UTF_8);
  }

  /** What it wrote, whichever way; a terminal begins a line by going back to its start. */
  String text(AttemptId id) throws IOException {
    return stdout(id) + pty(id).replace("\r\n", "\n");
  }

  static <T> T value(Answer<T> answer) {
    return switch (answer) {
      case Answer.Done(var value) -> value;
      case Answer.Refused(var code, var message, var _, var _) ->
          throw new AssertionError("refused: " + code + ", " + message);
    };
  }

  static String code(Answer<? extends HostReply> answer) {
    return answer instanceof Answer.Refused(var code, var _, var _, var _) ? code : "done";
  }

  /** Lets time pass for the host where that is the test's to do. */
  private void pass() {
    if (clock instanceof SettableClock it) {
      it.advance(STEP);
    }
  }

  void close() throws IOException {
    var ending =
        CompletableFuture.supplyAsync(() -> {
          try {
            return value(client.shutdown(true));
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
    Awaitility.await()
        .pollInterval(Duration.ofMillis(LOOK_MS))
        .atMost(HostClient.ANSWER_MAX)
        .until(() -> {
          pass();
          return ending.isDone() && !house.isAlive();
        });
    ending.join();
    client.close();
    reader.close();
    host.close();
  }
}
