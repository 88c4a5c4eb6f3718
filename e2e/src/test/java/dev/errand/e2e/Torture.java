package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.client.TaskCondition;
import dev.errand.wire.client.TaskFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.awaitility.core.TerminalFailureException;
import org.jspecify.annotations.Nullable;

/**
 * Clients that spawn, type, cancel and follow while daemon and host are killed, stopped and
 * replaced, at random moments and at named points; then the history of it is held to the model.
 *
 * <p>The seed decides what is done and broken, and in which order; how these meet is left to the
 * machine.
 */
final class Torture {
  private static final int CLIENTS = 4;
  private static final int LINES_MAX = 40;
  private static final int TRIES_MAX = 600;
  private static final String MARK = "ERRAND_TORTURE_MARK";
  static final String SESSION = "torture";

  private static final List<String> POINTS =
      List.of(
          "journal.commit",
          "journal.committed",
          "daemon.accepted",
          "daemon.claimed",
          "daemon.read",
          "artifact.linked",
          "daemon.recorded",
          "host.intended",
          "host.spawned",
          "host.exited");

  private final Sandbox sandbox;
  private final ErrandClient client;
  private final History history;
  private final Path side;
  private final Path overlaps;
  private final long seed;
  private final String mark;
  private final RandomReads reads;
  private volatile boolean enough;

  /**
   * How it goes on.
   *
   * @param faultsEnd whether enough was broken
   * @param faultPauseMaxMs the longest time between two faults
   * @param askPauseMaxMs the longest time between two spawns of one client
   * @param calm how long the clients go on after the last fault
   * @param mixed whether there are terminals, watchers and readers of every sort as well
   */
  record Plan(
      BooleanSupplier faultsEnd,
      int faultPauseMaxMs,
      int askPauseMaxMs,
      Duration calm,
      boolean mixed) {

    /** So many faults, one right after the other, under commands alone. */
    static Plan rounds(int count) {
      var done = new AtomicInteger();
      return new Plan(() -> done.getAndIncrement() >= count, 700, 120, Duration.ZERO, false);
    }

    /** Faults for two thirds of this time, load for all of it. */
    static Plan lasting(Duration time) {
      var endNanos = System.nanoTime() + time.multipliedBy(2).dividedBy(3).toNanos();
      return new Plan(
          () -> System.nanoTime() - endNanos >= 0, 10_000, 800, time.dividedBy(3), true);
    }
  }

  Torture(Sandbox sandbox, History history, long seed) throws IOException {
    this.sandbox = sandbox;
    this.history = history;
    this.seed = seed;
    this.mark = sandbox.folder().getFileName().toString();
    this.side = Files.createFile(sandbox.folder().resolve("started"));
    this.overlaps = Files.createFile(sandbox.folder().resolve("overlaps"));
    var usual = ClientOptions.DEFAULT;
    this.client =
        ErrandClient.connect(
            sandbox.home(),
            new ClientOptions(Duration.ofMinutes(5), usual.answerTimeout(), usual.silenceMax()));
    this.reads = new RandomReads(client, history);
  }

  /** Returns how the tasks ended; throws where the history cannot be true. */
  Map<String, Long> run(Plan plan) throws Exception {
    var daemon = sandbox.serve();
    assertThat(client.isReady()).isTrue();
    try (client;
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Future<?>>();
      for (var i = 0; i < CLIENTS; i++) {
        var number = i;
        clients.add(threads.submit(() -> ask(plan, number, new Random(seed * CLIENTS + number))));
      }
      var random = new Random(seed);
      while (!plan.faultsEnd().getAsBoolean()) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(100, plan.faultPauseMaxMs()));
        daemon = breakSomething(random, daemon);
      }
      // The last one may have a point armed that is still to come, when nobody would start another.
      history.broke("kill -9 of the daemon");
      daemon.destroyForcibly().waitFor();
      sandbox.serve();
      Thread.sleep(plan.calm());
      enough = true;
      for (var it : clients) {
        finish(it);
      }
      return settle();
    }
  }

  private static void finish(Future<?> client) throws InterruptedException {
    try {
      client.get();
    } catch (ExecutionException e) {
      throw new AssertionError("a client found what must not be", e.getCause());
    }
  }

  private Process breakSomething(Random random, Process daemon) throws Exception {
    var pid = daemon.pid();
    switch (random.nextInt(6)) {
      case 0 -> {
        history.broke("kill -9 of the daemon");
        daemon.destroyForcibly().waitFor();
      }
      case 1 -> {
        history.broke("kill -9 of the hosts");
        sandbox.killHosts();
      }
      case 2 -> {
        history.broke("SIGTERM of the daemon");
        daemon.destroy();
        daemon.waitFor();
      }
      case 3 -> {
        history.broke("the daemon stands still");
        standStill(pid, random);
      }
      case 4 -> {
        history.broke("the hosts stand still");
        for (var host : sandbox.hostPids()) {
          standStill(host, random);
        }
      }
      default -> {
        var point = POINTS.get(random.nextInt(POINTS.size()));
        var setting = point + "=kill@" + random.nextInt(1, 30);
        history.broke(setting);
        daemon.destroyForcibly().waitFor();
        if (point.startsWith("host.")) {
          sandbox.killHosts();
        }
        return serveUnlessAlive(daemon, setting);
      }
    }
    return serveUnlessAlive(daemon, "");
  }

  private static void standStill(long pid, Random random) throws Exception {
    signal("STOP", pid);
    TimeUnit.MILLISECONDS.sleep(random.nextInt(200, 1_500));
    signal("CONT", pid);
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid))
        .redirectErrorStream(true)
        .start()
        .waitFor();
  }

  /** With points armed it may die before it serves; then it is started without. */
  private Process serveUnlessAlive(Process daemon, String failpoints) throws IOException {
    if (daemon.isAlive()) {
      return daemon;
    }
    if (!failpoints.isEmpty()) {
      try {
        return sandbox.serveWithFailpoints(failpoints);
      } catch (TerminalFailureException _) {
        history.broke("it died before it served");
      }
    }
    return sandbox.serve();
  }

  /** One client: it asks for something, again and again. */
  private boolean ask(Plan plan, int number, Random random) throws InterruptedException {
    try (var followers = Executors.newVirtualThreadPerTaskExecutor()) {
      var following = new ArrayList<Future<?>>();
      for (var i = 0; !enough; i++) {
        var key = "c" + number + "-" + i;
        var taskId = spawn(plan, key, random);
        var wish = history.wishes().get(key);
        if (taskId != null && random.nextInt(4) == 0) {
          following.add(followers.submit(() -> follow(taskId, wish.stream())));
        }
        if (taskId != null && plan.mixed()) {
          var which = random.nextInt();
          following.add(followers.submit(() -> reads.read(wish, taskId, which)));
        }
        if (taskId != null && wish.source() == History.Source.INPUT) {
          var pauses = new Random(random.nextLong());
          following.add(followers.submit(() -> type(key, taskId, pauses)));
        }
        if (taskId != null && random.nextInt(5) == 0) {
          cancel(key, taskId, random);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(20, plan.askPauseMaxMs()));
        following.removeIf(it -> it.state() == Future.State.SUCCESS);
      }
      for (var it : following) {
        finish(it);
      }
    }
    return true;
  }

  private @Nullable TaskId spawn(Plan plan, String key, Random random) {
    var lines = random.nextInt(1, LINES_MAX);
    var source = source(random.nextInt(8), plan.mixed());
    var requeue = source != History.Source.INPUT && random.nextInt(3) == 0;
    var watched = plan.mixed() && random.nextInt(3) == 0;
    var wish = new History.Wish(key, lines, 10 + lines % 7, requeue, source, watched);
    history.asked(wish);
    var task = task(wish);
    try {
      var taskId = client.spawn(task, key);
      history.acknowledged(key, taskId);
      if (random.nextInt(10) == 0) {
        history.acknowledged(key, client.spawn(task, key));
      }
      return taskId;
    } catch (ErrandException | NoDaemonException e) {
      history.failed("spawn", key, e);
      return null;
    }
  }

  private static History.Source source(int which, boolean mixed) {
    if (which < 2) {
      return History.Source.INPUT;
    }
    return mixed && which == 2 ? History.Source.TERMINAL : History.Source.COUNTER;
  }

  /** As long as one of its processes lives, it holds a lock that no other attempt can have. */
  private NewTask task(History.Wish wish) {
    var key = wish.key();
    var lock = sandbox.folder().resolve(key + ".lock");
    var alone =
        "exec 9>'%s'; flock -n 9 || echo %s >>'%s'; echo %s >>'%s'; "
            .formatted(lock, key, overlaps, key, side);
    var work =
        "i=0; while [ $i -lt %d ]; do i=$((i+1)); echo %s $i; sleep 0.03; done"
            .formatted(wish.lines(), key);
    var task =
        NewTask.shell(
                alone
                    + (wish.source() == History.Source.INPUT ? "cat" : work)
                    + "; exit "
                    + wish.exitCode())
            .session(SESSION)
            .label(key)
            .env(MARK, mark)
            .onRestart(wish.requeue() ? "requeue" : "lost");
    if (wish.watched()) {
      // The second never holds: it is looked for as long as the task lives.
      task =
          task.watch("last", TaskCondition.regex("^" + wish.line(wish.lines()) + "$"))
              .watch("port", TaskCondition.port(1));
    }
    return switch (wish.source()) {
      case COUNTER -> task;
      case INPUT -> task.withStdin();
      case TERMINAL -> task.pty(24, 80);
    };
  }

  /** Writes line by line, and ends the input with the last; where that fails, the task. */
  private boolean type(String key, TaskId taskId, Random random) throws InterruptedException {
    var wish = history.wishes().get(key);
    try {
      for (var i = 1; i <= wish.lines(); i++) {
        var bytes = (wish.line(i) + "\n").getBytes(StandardCharsets.UTF_8);
        var last = i == wish.lines();
        var opId = key + "-line-" + i;
        var taken = persistently(() -> client.stdin(taskId, bytes, last, opId));
        history.typed(key, i, taken);
        assertThat(taken).isEqualTo(bytes.length);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(0, 40));
      }
    } catch (ErrandException | NoDaemonException e) {
      history.failed("stdin", key, e);
      cancel(key, taskId, random);
    }
    return true;
  }

  /** Asks again as long as that may help; whoever was asked must know that it is the same. */
  private long persistently(LongSupplier call) throws InterruptedException {
    for (var i = 0; ; i++) {
      try {
        return call.getAsLong();
      } catch (ErrandException e) {
        if (!e.code().retryable() || i == TRIES_MAX) {
          throw e;
        }
        history.failed("try", null, e);
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  private void cancel(String key, TaskId taskId, Random random) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(0, 200));
    history.cancelAsked(key);
    try {
      client.cancel(taskId, "torture", null);
    } catch (ErrandException | NoDaemonException e) {
      history.failed("cancel", key, e);
    }
  }

  /** Takes frames and bytes as they come, to the end of the task. */
  private boolean follow(TaskId taskId, LogStream stream) {
    var at = 0L;
    try (var events = client.events(taskId, -1)) {
      for (var frame = events.next(); frame != null; frame = events.next()) {
        history.frame(taskId, frame.seq(), frame.text());
        var part = client.output(taskId, stream, at, 64 * 1024);
        history.read(taskId, stream, part.offset(), part.bytes());
        at = part.offset() + part.bytes().length;
      }
    } catch (ErrandException | NoDaemonException e) {
      history.failed("follow", null, e);
    }
    return true;
  }

  private Map<String, Long> settle() throws Exception {
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> client.list(TaskFilter.ALL.active(true)).tasks().isEmpty());
    var check = new HistoryCheck(history, client, side);
    check.check();
    assertThat(Files.readAllLines(overlaps)).as("attempts that met another").isEmpty();
    await().atMost(Sandbox.PATIENCE).untilAsserted(() -> assertThat(marked()).isEmpty());
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() -> assertThat(hostFolders()).hasSameSizeAs(sandbox.hostPids()));
    return check.ends();
  }

  /** The processes of tasks, by a variable that only they have. */
  private List<Path> marked() throws IOException {
    try (var processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(it -> it.getFileName().toString().matches("\\d+"))
          .filter(this::isMarked)
          .toList();
    }
  }

  private boolean isMarked(Path process) {
    try {
      return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1)
          .contains(MARK + "=" + mark);
    } catch (IOException e) {
      return false;
    }
  }

  private List<Path> hostFolders() throws IOException {
    try (var folders = Files.list(sandbox.home().hosts())) {
      return folders.toList();
    }
  }
}
