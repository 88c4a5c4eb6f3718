package dev.errand.daemon.watch;

import static dev.errand.daemon.engine.EngineFixture.exited;
import static dev.errand.daemon.engine.EngineFixture.output;
import static dev.errand.daemon.engine.EngineFixture.report;
import static dev.errand.daemon.engine.EngineFixture.started;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.Command;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.condition.Conditions;
import dev.errand.daemon.condition.ListeningPorts;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.output.LogStore;
import dev.errand.testkit.SettableClock;
import dev.errand.wire.json.JsonFrameCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class WatchersTest {
  private static final JsonFrameCodec CODEC = new JsonFrameCodec();

  private final EngineFixture fixture = new EngineFixture();
  private final SettableClock clock = fixture.clock;
  private final OneLog log = new OneLog(clock);
  private final ComputePool compute = ComputePool.start(clock);
  private Engine engine = fixture.engine;
  private Watchers watchers = watching(Config.Watching.DEFAULTS);
  private long record = 2;

  @AfterEach
  void stop() {
    watchers.close();
    compute.close();
  }

  private Watchers watching(Config.Watching limits) {
    var sources =
        new Conditions.Sources(
            log,
            new ListeningPorts(new TaskProcesses(engine, fixture.journal.id(), clock), clock),
            (_, _) -> {
              throw new IllegalStateException("no terminals here");
            });
    var feed = new Feed(fixture.journal, clock);
    var conditions = new Conditions(engine, fixture.journal, CODEC, feed, sources, clock);
    var opened =
        new Watchers(
            engine,
            new Watchers.Sources(
                fixture.journal, CODEC, log, compute, conditions, () -> limits, clock));
    engine.subscribe(opened);
    opened.start();
    return opened;
  }

  /** As after a kill: nothing is known but what is recorded. */
  private void restart(Config.Watching limits) {
    watchers.close();
    engine = fixture.open();
    fixture.journal.rows(TaskQuery.live(null, 10)).forEach(it -> engine.snapshot(it.id()));
    watchers = watching(limits);
  }

  private TaskId running(@Nullable WatchCondition ready, Watcher... watchers) {
    return running(EngineFixture.spec(), ready, watchers);
  }

  private TaskId running(TaskSpec plain, @Nullable WatchCondition ready, Watcher... watchers) {
    var watching = new WatchSpec(WatchSpec.Notify.DONE_ONLY, List.of(watchers), ready);
    var taskId = fixture.ids.nextTask();
    var spec = plain.attending(watching);
    engine.submit(taskId, new TaskCommand.Spawn(spec, EngineFixture.CLAIM), null).orThrow();
    engine.submit(taskId, report(started()), null).orThrow();
    return taskId;
  }

  private static Watcher regex(String event, String pattern) {
    return new Watcher(event, new WatchCondition.Regex(pattern, null), false);
  }

  private void write(TaskId taskId, String text) {
    var from = log.bytes.length;
    log.append(text);
    record++;
    engine.submit(taskId, report(output(record, from, log.bytes.length - from)), null).orThrow();
  }

  private void exit(TaskId taskId) throws InterruptedException {
    if (watchers.isNeeded(taskId)) {
      watchers.run(taskId, Map.of(LogStream.STDOUT, (long) log.bytes.length));
    }
    record++;
    engine.submit(taskId, report(exited(record, log.bytes.length)), null).orThrow();
  }

  private List<TaskEvent> events(TaskId taskId) {
    return fixture.journal.read(StreamKey.of(taskId), -1, 1_000).stream()
        .map(it -> CODEC.decodeTask(it).event())
        .toList();
  }

  private List<String> hits(TaskId taskId) {
    return events(taskId).stream()
        .filter(TaskEvent.WatcherHit.class::isInstance)
        .map(TaskEvent.WatcherHit.class::cast)
        .map(it -> it.event() + ":" + it.snippet())
        .toList();
  }

  /** Lets time pass until it is so. */
  private void eventually(ThrowingRunnable claim) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(() -> {
          clock.advance(Duration.ofMillis(20));
          claim.run();
        });
  }

  @Test
  void hits_are_recorded_behind_their_output_as_it_comes() {
    var taskId = running(null, regex("error", "ERROR"), regex("up", "^up"));
    write(taskId, "all is well\nup and run");
    write(taskId, "ning\nan ERR");
    eventually(() -> assertThat(hits(taskId)).containsExactly("up:up and running"));

    write(taskId, "OR\n");

    eventually(
        () -> assertThat(hits(taskId)).containsExactly("up:up and running", "error:an ERROR"));
    var hit = (TaskEvent.WatcherHit) events(taskId).getLast();
    assertThat(hit.match()).isEqualTo(new TaskEvent.Match(LogStream.STDOUT, 30, 35));
    assertThat(hit.hits()).isOne();
  }

  @Test
  void output_whose_frame_comes_later_is_scanned_and_announced_before_the_hit() {
    var ready = new WatchCondition.Regex("^ready", null);
    var taskId = running(EngineFixture.spec(1), ready, regex("error", "ERROR"));
    write(taskId, "begin\n");
    write(taskId, "nothing\nan ERROR\n");

    eventually(() -> assertThat(hits(taskId)).containsExactly("error:an ERROR"));
    var told = events(taskId);
    assertThat(told.get(told.size() - 2))
        .isInstanceOfSatisfying(
            TaskEvent.Output.class, it -> assertThat(it.offset() + it.bytes()).isEqualTo(23));

    write(taskId, "ready\n");

    eventually(
        () -> assertThat(events(taskId).getLast()).isInstanceOf(TaskEvent.BecameReady.class));
    assertThat(events(taskId).reversed().get(1)).isInstanceOf(TaskEvent.Output.class);
  }

  @Test
  void a_prompt_of_one_character_is_seen_when_nothing_follows() {
    var taskId = running(null, regex("asks", "^>$"));

    write(taskId, ">");

    eventually(() -> assertThat(hits(taskId)).containsExactly("asks:>"));
  }

  @Test
  void a_line_that_grew_while_it_was_read_is_not_taken_for_a_prompt() {
    var taskId = running(null, regex("asks", "more$"), regex("end", "end$"));
    log.atNextRead =
        () -> {
          clock.advance(Duration.ofMillis(200));
          write(taskId, " and the end\n");
        };

    write(taskId, "there is more");

    eventually(() -> assertThat(hits(taskId)).containsExactly("end:there is more and the end"));
  }

  @Test
  void a_daemon_that_starts_again_records_what_is_missing_and_nothing_twice() throws Exception {
    var taskId = running(null, regex("n", "^n\\d"), regex("even", "[02468]$"));
    write(taskId, "n1\nn2\nn3\nn4");
    eventually(() -> assertThat(hits(taskId)).hasSize(6));

    watchers.close();
    write(taskId, "\nn5\nn6\n");
    restart(Config.Watching.DEFAULTS);
    write(taskId, "n7\nn8");
    exit(taskId);

    assertThat(hits(taskId))
        .containsExactlyInAnyOrder(
            "n:n1", "n:n2", "n:n3", "n:n4", "n:n5", "n:n6", "n:n7", "n:n8", "even:n2", "even:n4",
            "even:n6", "even:n8");
    assertThat(events(taskId).getLast()).isInstanceOf(TaskEvent.Ended.class);
  }

  @Test
  void what_a_task_writes_last_is_recorded_before_its_end_also_by_the_next_daemon()
      throws Exception {
    var taskId = running(null, regex("bye", "bye$"));
    watchers.close();
    write(taskId, "good bye");
    restart(Config.Watching.DEFAULTS);

    exit(taskId);

    assertThat(hits(taskId)).containsExactly("bye:good bye");
  }

  @Test
  void a_watcher_that_does_not_come_through_in_time_is_silenced_and_the_task_ends()
      throws Exception {
    var taskId = running(null, regex("late", "late"));
    watchers.close();
    write(taskId, "late\n".repeat(1_000));
    var slow = log.readSlowly();
    restart(new Config.Watching(10, Duration.ofSeconds(1), 1_000, Duration.ofMillis(1)));
    var ending =
        new FutureTask<Void>(() -> {
          exit(taskId);
          return null;
        });
    var asking = Thread.ofVirtual().start(ending);
    await().until(() -> asking.getState() == Thread.State.WAITING);
    slow.complete(null);
    ending.get();

    assertThat(engine.snapshot(taskId).state()).isInstanceOf(TaskState.Ended.class);
    assertThat(events(taskId))
        .anyMatch(it ->
            it instanceof TaskEvent.WatcherSilenced silenced
                && silenced.reason().equals("too_slow"));
  }

  @Test
  void a_line_that_says_so_makes_a_task_ready_once() {
    var taskId = running(new WatchCondition.Regex("listening on \\d+", null));

    write(taskId, "starting\nlistening on 80\nlistening on 81\n");

    eventually(() ->
        assertThat(events(taskId).getLast())
            .isInstanceOfSatisfying(
                TaskEvent.BecameReady.class,
                it -> assertThat(it.snippet()).isEqualTo("listening on 80")));
  }

  @Test
  void a_task_that_is_started_anew_becomes_ready_anew(@TempDir Path folder) throws Exception {
    var up = Files.createFile(folder.resolve("up"));
    var spec = EngineFixture.spec();
    var again =
        new TaskSpec(spec.origin(), repeatable((Command) spec.work()))
            .attending(
                new WatchSpec(
                    WatchSpec.Notify.DONE_ONLY, List.of(), new WatchCondition.File(up.toString())));
    var taskId = fixture.ids.nextTask();
    engine.submit(taskId, new TaskCommand.Spawn(again, EngineFixture.CLAIM), null).orThrow();
    engine.submit(taskId, report(started()), null).orThrow();
    eventually(() -> assertThat(timesReady(taskId)).isOne());

    var lost = new TaskCommand.HostLost(1, List.of(), List.of(), List.of(), 5);
    engine.submit(taskId, lost, null).orThrow();
    engine.submit(taskId, new TaskCommand.Claim.OnHost("host-b"), null).orThrow();
    var process = new ProcessIdentity(4712, 100, "boot-1", 8);
    engine.submit(taskId, report(new HostFact.Started(2, 2, process, 6)), null).orThrow();

    eventually(() -> assertThat(timesReady(taskId)).isEqualTo(2));
  }

  private long timesReady(TaskId taskId) {
    return events(taskId).stream().filter(TaskEvent.BecameReady.class::isInstance).count();
  }

  @Test
  void a_flood_is_recorded_in_few_frames_with_every_hit_counted() throws Exception {
    var taskId = running(null, regex("x", "^x"));
    write(taskId, "x\n".repeat(700));
    exit(taskId);

    var frames = events(taskId).stream().filter(TaskEvent.WatcherHit.class::isInstance).toList();

    assertThat(frames).hasSize(11);
    assertThat(((TaskEvent.WatcherHit) frames.getLast()).hits()).isEqualTo(700);
  }

  @Test
  void silence_hits_when_it_begins_and_again_only_after_output() {
    var silent = new Watcher("quiet", new WatchCondition.Silence(Duration.ofMillis(60)), false);
    var taskId = running(null, silent);
    eventually(() -> assertThat(outputAndHits(taskId)).containsExactly("hit"));

    clock.advance(Duration.ofHours(1));
    write(taskId, "something\n");
    eventually(() -> assertThat(outputAndHits(taskId)).containsExactly("hit", "output", "hit"));

    clock.advance(Duration.ofHours(1));
    write(taskId, "more\n");
    eventually(() ->
        assertThat(outputAndHits(taskId)).containsExactly("hit", "output", "hit", "output", "hit"));
  }

  private List<String> outputAndHits(TaskId taskId) {
    return events(taskId).stream()
        .filter(it -> it instanceof TaskEvent.WatcherHit || it instanceof TaskEvent.Output)
        .map(it -> it instanceof TaskEvent.Output ? "output" : "hit")
        .toList();
  }

  /** The log of the only task there is. */
  private static final class OneLog implements LogStore {
    private volatile byte[] bytes = new byte[0];
    private final SettableClock clock;
    private volatile @Nullable CompletableFuture<Void> slow;

    /** What happens once while a part of the log is read. */
    private volatile @Nullable Runnable atNextRead;

    OneLog(SettableClock clock) {
      this.clock = clock;
    }

    /** From now on each read gives little and takes its time; the first waits until completed. */
    CompletableFuture<Void> readSlowly() {
      var begin = new CompletableFuture<Void>();
      slow = begin;
      return begin;
    }

    void append(String text) {
      var more = text.getBytes(UTF_8);
      var all = Arrays.copyOf(bytes, bytes.length + more.length);
      System.arraycopy(more, 0, all, bytes.length, more.length);
      bytes = all;
    }

    @Override
    public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
      var begin = slow;
      if (begin != null) {
        begin.join();
        clock.advance(Duration.ofMillis(60));
      }
      var end = Math.min(bytes.length, offset + (begin == null ? max : 10));
      var part =
          stream == LogStream.STDOUT && end > offset
              ? Arrays.copyOfRange(bytes, (int) offset, (int) end)
              : new byte[0];
      var event = atNextRead;
      if (event != null) {
        atNextRead = null;
        event.run();
      }
      return part;
    }

    @Override
    public long total(TaskId taskId, LogStream stream) {
      return bytes.length;
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return List.of();
    }

    @Override
    public void delete(TaskId taskId) {}
  }

  private static Command repeatable(Command command) {
    return new Command(
        command.toolName(),
        command.invocation(),
        command.cwd(),
        command.environment(),
        command.io(),
        command.limits(),
        Command.OnRestart.REQUEUE);
  }
}
