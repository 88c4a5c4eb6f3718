package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tasks that wait for their turn, on the real daemon and through its death: a thousand of one
 * session, two in each of a hundred sessions, and those that tools start. Some fail, and some are
 * cancelled, whether they run or wait. Each writes down itself when it begins and when it ends.
 */
@Timeout(180)
final class LanesTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int OF_ONE_SESSION = 1_000;
  private static final int LANES = 8;
  private static final int SESSIONS = 100;
  private static final int OF_EACH_SESSION = 2;
  private static final int COUNTED = 40;
  private static final int QUOTA = 5;
  private static final List<String> COUNTED_SESSIONS = List.of("tools-a", "tools-b");

  /** By the name of their file, in the order in which their spawns were acknowledged. */
  private static final Map<String, List<TaskId>> spawned = new ConcurrentHashMap<>();

  private static final AtomicInteger acknowledged = new AtomicInteger();
  private static Sandbox sandbox;
  private static ErrandClient client;
  private static Map<TaskId, TaskStatus> all;

  @BeforeAll
  static void let_all_run_through_two_kills() throws Exception {
    sandbox = Sandbox.create("durability = \"normal\"\n");
    sandbox.serve();
    client = sandbox.client();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<Boolean>>();
      calls.add(callers.submit(() -> queue("one", OF_ONE_SESSION, LANES)));
      calls.add(callers.submit(LanesTest::queueInEachSession));
      COUNTED_SESSIONS.forEach(it -> calls.add(callers.submit(() -> queueByTool(it))));
      killAfter(OF_ONE_SESSION / 4);
      killAfter(OF_ONE_SESSION);
      for (var call : calls) {
        call.get();
      }
    }
    await().atMost(LONG).until(() -> client.list(TaskFilter.ALL.active(true)).tasks().isEmpty());
    all = listed();
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    sandbox.close();
  }

  private static void killAfter(int count) throws IOException {
    await().atMost(LONG).until(() -> acknowledged.get() >= count);
    sandbox.killDaemon();
    sandbox.serve();
  }

  private static boolean queue(String session, int count, int lanes) {
    for (var i = 0; i < count; i++) {
      var name = session + "-" + i % lanes;
      var task = NewTask.shell(line(name, i)).cwd("/").session(session).lane("lane" + i % lanes);
      note(name, i, client.spawn(task));
    }
    return true;
  }

  private static boolean queueInEachSession() {
    return IntStream.range(0, SESSIONS)
        .allMatch(session -> queue("session" + session, OF_EACH_SESSION, 1));
  }

  private static boolean queueByTool(String session) {
    for (var i = 0; i < COUNTED; i++) {
      note(session, i, spawnByTool(session, line(session, i)));
    }
    return true;
  }

  private static TaskId spawnByTool(String session, String command) {
    var body = "{\"command\":\"%s\",\"session_id\":\"%s\"}".formatted(command, session);
    var answer = client.tools().call("task_spawn", body.getBytes(StandardCharsets.UTF_8));
    return new TaskId(answer.object("structured").text("task_id"));
  }

  private static void note(String name, int number, TaskId taskId) {
    spawned.computeIfAbsent(name, _ -> new ArrayList<>()).add(taskId);
    acknowledged.incrementAndGet();
    if (isCancelled(number)) {
      client.cancel(taskId, "not this one", null);
    }
  }

  private static boolean isCancelled(int number) {
    return number % 13 == 6;
  }

  /** What is cancelled may be killed anywhere, so it writes nothing. */
  private static String line(String name, int number) {
    return isCancelled(number)
        ? "sleep 600"
        : "echo begin %2$d >>%1$s; echo end %2$d >>%1$s; exit %3$d"
            .formatted(sandbox.folder().resolve(name), number, number % 7 == 0 ? 3 : 0);
  }

  private static Map<TaskId, TaskStatus> listed() {
    var found = new TreeMap<TaskId, TaskStatus>();
    var page = client.list(TaskFilter.ALL.limit(1_000));
    page.tasks().forEach(it -> found.put(it.taskId(), it));
    while (page.next() != null) {
      page = client.next(page).orElseThrow();
      page.tasks().forEach(it -> found.put(it.taskId(), it));
    }
    return found;
  }

  @Test
  void each_of_a_session_with_a_thousand_tasks_runs_once_alone_in_its_lane_and_in_its_turn()
      throws IOException {
    for (var lane = 0; lane < LANES; lane++) {
      checkLane("one-" + lane, lane, OF_ONE_SESSION, LANES);
    }
  }

  @Test
  void a_hundred_sessions_have_their_own_lanes() throws IOException {
    for (var session = 0; session < SESSIONS; session++) {
      checkLane("session" + session + "-0", 0, OF_EACH_SESSION, 1);
    }
  }

  private static void checkLane(String name, int first, int count, int step) throws IOException {
    var due =
        Stream.iterate(first, it -> it < count, it -> it + step)
            .filter(it -> !isCancelled(it))
            .flatMap(it -> Stream.of("begin " + it, "end " + it));
    assertThat(Files.readAllLines(file(name))).as(name).containsExactlyElementsOf(due.toList());
    var started = statuses(name).stream().filter(it -> it.startedAt() != null).toList();
    for (var i = 1; i < started.size(); i++) {
      var before = Objects.requireNonNull(started.get(i - 1).endedAt());
      assertThat(started.get(i).startedAt()).as(name).isAfterOrEqualTo(before);
    }
  }

  private static Path file(String name) {
    return sandbox.folder().resolve(name);
  }

  private static List<TaskStatus> statuses(String name) {
    return Objects.requireNonNull(spawned.get(name)).stream()
        .map(it -> Objects.requireNonNull(all.get(it)))
        .toList();
  }

  @Test
  void all_end_once_as_they_were_to_end() {
    assertThat(all)
        .hasSize(OF_ONE_SESSION + SESSIONS * OF_EACH_SESSION + COUNTED_SESSIONS.size() * COUNTED);
    assertThat(all.values()).allMatch(it -> it.attempt() <= 1);
    assertThat(all.values()).allMatch(it -> List.of("exited", "cancelled").contains(it.status()));
  }

  /** A place that was not given back, or given back twice, shows when as many ask for one again. */
  @Test
  void a_quota_is_never_passed_and_each_place_of_it_is_given_back_once() throws IOException {
    for (var session : COUNTED_SESSIONS) {
      checkQuota(session);
      var gate = file(session + "-gate");
      var command = "while [ ! -e %s ]; do sleep 0.05; done".formatted(gate);
      var more = Stream.generate(() -> spawnByTool(session, command)).limit(QUOTA + 2).toList();
      var reasons = more.stream().map(it -> client.status(it).queueReason()).toList();
      Files.createFile(gate);

      assertThat(reasons.subList(0, QUOTA)).containsOnlyNulls();
      assertThat(reasons.subList(QUOTA, QUOTA + 2)).containsOnly("session_quota");
      assertThat(more).allMatch(it -> client.waitEnd(it, LONG).isEnded());
    }
  }

  private static void checkQuota(String session) throws IOException {
    var lines = Files.readAllLines(file(session));
    assertThat(lines).as("each once").doesNotHaveDuplicates();
    assertThat(lines)
        .hasSize(2 * (int) IntStream.range(0, COUNTED).filter(it -> !isCancelled(it)).count());
    var running = 0;
    for (var line : lines) {
      running += line.startsWith("begin") ? 1 : -1;
      assertThat(running).as(session).isBetween(0, QUOTA);
    }
  }
}
